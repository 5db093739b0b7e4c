import type { Context } from '../../http/context.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { readToken, signToken } from '../../outside/secrets/signed-token.ts';
import { DAY_MS } from '../../truck/time.ts';

const PURPOSE = 'known-browser';
/** How long a browser stays known. */
export const KNOWN_MS = 180 * DAY_MS;

/** What a browser keeps that signed in to a mailbox: codes that strangers ask for do not use up its own. */
export function toKnownBrowser({ ports }: Pick<Context, 'ports'>, email: string): string {
  const until = ports.clock.now() + KNOWN_MS;
  return signToken(ports, PURPOSE, [hashSecret(toMailbox(email)), String(until)]);
}

export function isKnownBrowser(
  { ports }: Pick<Context, 'ports'>,
  token: string | undefined,
  email: string,
): boolean {
  const [mailbox, until] = (token && readToken(ports, PURPOSE, token)) || [];
  return mailbox === hashSecret(toMailbox(email)) && Number(until) > ports.clock.now();
}
