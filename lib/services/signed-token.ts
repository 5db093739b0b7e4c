import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';

/** Tokens that hold what they are about, signed, so that nothing is stored. */

type SigningPorts = Pick<Ports, 'settings'>;

/** What only this service can make of a text, in base64url. */
export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Whether a signature is the expected one, in a time that tells nothing of where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The token of a link in a mail. `purpose` keeps that of one kind of link from working in another. */
export function signToken({ settings }: SigningPorts, purpose: string, subject: readonly string[]): string {
  const text = Buffer.from(JSON.stringify(subject)).toString('base64url');
  return `${text}.${sign(settings.tokenSecret, `${purpose} ${text}`)}`;
}

/** Null when the token is not one of ours for this purpose. */
export function readToken({ settings }: SigningPorts, purpose: string, token: string): string[] | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isSame(signature, sign(settings.tokenSecret, `${purpose} ${text}`))) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as string[];
}
