import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../../ports.ts';

/** Signed tokens that carry their subject, so that nothing is stored. */

export type SigningPorts = Pick<Ports, 'settings'>;

/** Each purpose has a key of its own: a token of one is worth nothing as another. */
type Purpose =
  | 'visit'
  | 'proof-of-work'
  | 'search-cursor'
  | 'known-browser'
  | 'confirm-address'
  | 'alerts-off';

/** Signs a text with a key that only this service has: 132 bits in base64url. */
export function sign({ settings }: SigningPorts, purpose: Purpose, text: string): string {
  const key = hkdfSync('sha256', Buffer.from(settings.signingSecret, 'base64'), '', purpose, 32);
  return createHmac('sha256', Buffer.from(key)).update(text).digest('base64url').slice(0, 22);
}

/** Whether the text was signed for this purpose. */
export const isSigned = (ports: SigningPorts, purpose: Purpose, text: string, signature: string): boolean =>
  isSame(signature, sign(ports, purpose, text));

/** Whether a signature is the expected one; the time does not depend on where they differ. */
export function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Makes a token that carries its subject. */
export function signToken(ports: SigningPorts, purpose: Purpose, subject: readonly string[]): string {
  const text = Buffer.from(JSON.stringify(subject)).toString('base64url');
  return `${text}.${sign(ports, purpose, text)}`;
}

/** Returns the subject; null if the token is not one of ours for this purpose. */
export function readToken(ports: SigningPorts, purpose: Purpose, token: string): string[] | null {
  const end = token.lastIndexOf('.');
  const text = token.slice(0, end);
  if (!isSigned(ports, purpose, text, token.slice(end + 1))) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as string[];
}
