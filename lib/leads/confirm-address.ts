import type { Ports } from '../outside/ports.ts';
import { readToken, signToken } from '../outside/secrets/signed-token.ts';
import { DAY_MS } from '../truck/time.ts';
import { confirmDestination } from './queries/sends.ts';

/** A mail address is confirmed by the link in its mails. */

const PURPOSE = 'confirm-address';

/** As long as anybody looks for the mail. */
const LIFETIME_MS = 30 * DAY_MS;

type SigningPorts = Pick<Ports, 'settings' | 'clock'>;

export const makeConfirmationToken = (ports: SigningPorts, accountId: string, address: string): string =>
  signToken(ports, PURPOSE, [accountId, address, String(ports.clock.now() + LIFETIME_MS)]);

/** Account and address that a token is about; null when it is not one of ours, or older than 30 days. */
export function readConfirmationToken(
  ports: SigningPorts,
  token: string,
): { accountId: string; address: string } | null {
  const [accountId, address, until] = readToken(ports, PURPOSE, token) ?? [];
  if (accountId === undefined || address === undefined || !(Number(until) > ports.clock.now())) return null;
  return { accountId, address };
}

/** False when the token is not one of ours, or too old. */
export async function confirmAddress(
  ports: SigningPorts & Pick<Ports, 'db'>,
  token: string,
): Promise<boolean> {
  const subject = readConfirmationToken(ports, token);
  if (subject === null) return false;
  await confirmDestination(ports.db, subject.accountId, subject.address);
  return true;
}
