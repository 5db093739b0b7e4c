import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';

/** Tokens of links in mails: they hold what they are about, signed, so that nothing is stored. */

type SigningPorts = Pick<Ports, 'settings'>;

/** `purpose` keeps the token of one kind of link from working in another. */
export function signToken(ports: SigningPorts, purpose: string, subject: readonly string[]): string {
  const text = Buffer.from(JSON.stringify(subject)).toString('base64url');
  return `${text}.${sign(ports, purpose, text)}`;
}

/** Null when the token is not one of ours for this purpose. */
export function readToken(ports: SigningPorts, purpose: string, token: string): string[] | null {
  const [text = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(ports, purpose, text));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as string[];
}

function sign({ settings }: SigningPorts, purpose: string, text: string): string {
  return createHmac('sha256', settings.tokenSecret).update(`${purpose} ${text}`).digest('base64url');
}
