import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { readToken, signToken } from '../../outside/secrets/signed-token.ts';
import type { Ports } from '../../ports.ts';
import { DAY_MS } from '../../truck/time.ts';

/** Tokens of sessions, of links that sign in, and of browsers that signed in before. */

const OPERATOR_PREFIX = 'operator_';

export const newToken = ({ random }: Ports): string => Buffer.from(random.bytes(32)).toString('base64url');

export const newOperatorToken = (ports: Ports): string => OPERATOR_PREFIX + newToken(ports);

export const isOperatorToken = (token: string): boolean => token.startsWith(OPERATOR_PREFIX);

/** What the store knows of a token. An operator's is found no more once ADMIN_TOKEN is another. */
export const hashToken = ({ settings }: Ports, token: string): string =>
  hashSecret(isOperatorToken(token) ? `${token} ${settings.adminToken}` : token);

const KNOWN = 'known-browser';
/** How long a browser stays known. */
export const KNOWN_MS = 180 * DAY_MS;

/** What a browser keeps that signed in to a mailbox: codes that strangers ask for do not use up its own. */
export const toKnownBrowser = (ports: Ports, email: string): string =>
  signToken(ports, KNOWN, [hashSecret(toMailbox(email)), String(ports.clock.now() + KNOWN_MS)]);

export function isKnownBrowser(ports: Ports, token: string | undefined, email: string): boolean {
  const [mailbox, until] = (token && readToken(ports, KNOWN, token)) || [];
  return mailbox === hashSecret(toMailbox(email)) && Number(until) > ports.clock.now();
}
