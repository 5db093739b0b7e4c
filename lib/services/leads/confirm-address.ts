import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../../ports/ports.ts';

/** A mail address is confirmed by the link in its mails. The token holds account and address, signed: nothing is stored. */

type SigningPorts = Pick<Ports, 'settings'>;

export function makeConfirmationToken(ports: SigningPorts, accountId: string, address: string): string {
  const subject = Buffer.from(JSON.stringify([accountId, address])).toString('base64url');
  return `${subject}.${sign(ports, subject)}`;
}

/** Account and address that a token is about; null when it is not one of ours. */
export function readConfirmationToken(
  ports: SigningPorts,
  token: string,
): { accountId: string; address: string } | null {
  const [subject = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(ports, subject));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [accountId, address] = JSON.parse(Buffer.from(subject, 'base64url').toString()) as [string, string];
  return { accountId, address };
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

function sign({ settings }: SigningPorts, subject: string): string {
  return createHmac('sha256', settings.tokenSecret).update(`confirm-address ${subject}`).digest('base64url');
}
