import { type Context, requireAccount, requireDealer } from '../../http/context.ts';
import { isSigned, sign } from '../../outside/secrets/signed-token.ts';
import { DAY_MS } from '../../truck/time.ts';

/**
 * Tokens that the widget is handed and sends back. They hold nothing but a time and a signature over who they were made
 * for, so that no instance has to remember them.
 */

/** After a day in an open tab a token says nothing any more. */
const MAX_AGE_MS = DAY_MS;

/** When this visitor came, signed: `<ms in base 36>.<signature>`. */
export function visitToken(ctx: Context, visitorId: string): string {
  const at = Math.floor(ctx.ports.clock.now()).toString(36);
  return `${at}.${sign(ctx.ports, 'visit', toSignedText(ctx, visitorId, at))}`;
}

/** Milliseconds since the token was made for this visitor; null when it was not, or is a day old. */
export function visitAge(ctx: Context, visitorId: string, token: string): number | null {
  const [at = '', signature = '', ...more] = token.split('.');
  const isOurs =
    more.length === 0 && isSigned(ctx.ports, 'visit', toSignedText(ctx, visitorId, at), signature);
  if (!isOurs) return null;
  const age = ctx.ports.clock.now() - Number.parseInt(at, 36);
  return age <= MAX_AGE_MS ? age : null;
}

/** What a token of this account and dealer is signed over. */
export const toSignedText = (ctx: Context, ...parts: readonly string[]): string =>
  JSON.stringify([requireAccount(ctx).id, requireDealer(ctx).slug, ...parts]);
