import { readToken, signToken } from '../outside/secrets/signed-token.ts';
import type { Ports } from '../ports.ts';
import { DAY_MS } from '../truck/time.ts';

/** A mail address is confirmed by the link in its mails, which holds for as long as anybody looks for the mail. */

const LIFETIME_MS = 30 * DAY_MS;

type SigningPorts = Pick<Ports, 'settings' | 'clock'>;

export const makeConfirmationToken = (ports: SigningPorts, accountId: string, address: string): string =>
  signToken(ports, 'confirm-address', [accountId, address, String(ports.clock.now() + LIFETIME_MS)]);

/** Account and address that a token is about; null when it is not one of ours, or older than 30 days. */
export function readConfirmationToken(ports: SigningPorts, token: string) {
  const [accountId = '', address = '', until] = readToken(ports, 'confirm-address', token) ?? [];
  return Number(until) > ports.clock.now() ? { accountId, address } : null;
}
