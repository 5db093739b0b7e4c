import { readToken, type SigningPorts, signToken } from '../../outside/secrets/signed-token.ts';
import type { Ports } from '../../ports.ts';
import { updateAlertsWanted } from './queries.ts';

/** The link that ends the mails to an owner: it needs no sign-in, and only a POST does something. */

const PURPOSE = 'alerts-off';

/** Null where the service does not know its own address. */
export function makeAlertsOffUrl(ports: SigningPorts, accountId: string, personId: string): string | null {
  const { publicUrl } = ports.settings;
  if (publicUrl === null) return null;
  return `${publicUrl}/api/alerts-off/${signToken(ports, PURPOSE, [accountId, personId])}`;
}

export const isAlertsOffToken = (ports: SigningPorts, token: string): boolean =>
  readToken(ports, PURPOSE, token) !== null;

/** False when the token is not one of ours, or its person is gone. */
export async function turnAlertsOff(ports: Ports, token: string): Promise<boolean> {
  const [accountId = '', personId = ''] = readToken(ports, PURPOSE, token) ?? [];
  return updateAlertsWanted(ports.db, accountId, personId, false);
}
