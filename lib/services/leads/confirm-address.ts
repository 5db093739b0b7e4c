import type { Ports } from '../../ports/ports.ts';
import { readToken, signToken } from '../signed-token.ts';

/** A mail address is confirmed by the link in its mails. */

const PURPOSE = 'confirm-address';

type SigningPorts = Pick<Ports, 'settings'>;

export const makeConfirmationToken = (ports: SigningPorts, accountId: string, address: string): string =>
  signToken(ports, PURPOSE, [accountId, address]);

/** Account and address that a token is about; null when it is not one of ours. */
export function readConfirmationToken(
  ports: SigningPorts,
  token: string,
): { accountId: string; address: string } | null {
  const [accountId, address] = readToken(ports, PURPOSE, token) ?? [];
  return accountId === undefined || address === undefined ? null : { accountId, address };
}

/** False when the token is not one of ours. */
export async function confirmAddress(
  ports: Pick<Ports, 'settings' | 'leadDestinations'>,
  token: string,
): Promise<boolean> {
  const subject = readConfirmationToken(ports, token);
  if (subject === null) return false;
  await ports.leadDestinations.of(subject.accountId).confirm(subject.address);
  return true;
}
