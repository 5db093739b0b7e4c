import { DAY_MS } from '../../domain/time.ts';
import { type Context, requireAccount, requireDealer } from '../context.ts';
import { isSame, sign } from '../signed-token.ts';

/**
 * Tokens that the widget is handed and sends back. They hold nothing but a time and a signature over who they were made
 * for, so that no instance has to remember them.
 */

/** After a day in an open tab a token says nothing any more. */
const MAX_AGE_MS = DAY_MS;

/** When this visitor came, signed: `<ms in base 36>.<signature>`. */
export function visitToken(ctx: Context, visitorId: string): string {
  const at = Math.floor(ctx.ports.clock.now()).toString(36);
  return `${at}.${signed(ctx, 'visit', visitorId, at)}`;
}

/** Milliseconds since the token was made for this visitor; null when it was not, or is a day old. */
export function visitAge(ctx: Context, visitorId: string, token: string): number | null {
  const [at = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isSame(signature, signed(ctx, 'visit', visitorId, at))) return null;
  const age = ctx.ports.clock.now() - Number.parseInt(at, 36);
  return age <= MAX_AGE_MS ? age : null;
}

/** 132 bits that only this service can make of these parts, for this account and dealer. */
export function signed(ctx: Context, ...parts: readonly string[]): string {
  const whole = JSON.stringify([requireAccount(ctx).id, requireDealer(ctx).slug, ...parts]);
  return sign(ctx.ports.settings.tokenSecret, whole).slice(0, 22);
}
