import { hash } from 'node:crypto';
import { type Context, requireAccount, requireDealer } from '../../http/context.ts';
import { readToken, signToken } from '../../outside/secrets/signed-token.ts';

/** Tokens that the widget is handed and sends back, signed, so that no instance has to remember them. */

/** How long a token says something. */
export const TOKEN_SECONDS = { visit: 86_400, 'proof-of-work': 600 } as const;
type Purpose = keyof typeof TOKEN_SECONDS;

/** A token for `who` at this dealer, from now on. */
export const makeVisitorToken = (ctx: Context, purpose: Purpose, who: string, ...facts: string[]): string =>
  signToken(ctx.ports, purpose, [toOwner(ctx, who), String(ctx.ports.clock.now()), ...facts]);

/** Null when the token was not made for `who` at this dealer, or is too old. */
export function readVisitorToken(ctx: Context, purpose: Purpose, who: string, token: string) {
  const [owner, madeAt, ...facts] = readToken(ctx.ports, purpose, token) ?? [];
  const ageMs = ctx.ports.clock.now() - Number(madeAt);
  if (owner !== toOwner(ctx, who) || ageMs > TOKEN_SECONDS[purpose] * 1_000) return null;
  return { ageMs, facts };
}

/** Short, because a browser hashes the token over and over. */
const toOwner = (ctx: Context, who: string) =>
  hash('sha256', JSON.stringify([requireAccount(ctx).id, requireDealer(ctx).slug, who]), 'base64url').slice(
    0,
    22,
  );
