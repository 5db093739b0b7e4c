import type { Scope } from '../../accounts/access.ts';
import type { Principal } from '../../accounts/ports/accounts.ts';
import { ApiError } from '../../errors.ts';
import { checkScope } from './scopes.ts';

/** Per tag the scopes that reading and writing need; null: any key of the account. */
const SCOPES = {
  Inventory: { read: 'inventory:read', write: 'inventory:write' },
  Dealers: { read: 'inventory:read', write: 'inventory:write' },
  Feeds: { read: 'feeds', write: 'feeds' },
  Widget: { read: 'inventory:read', write: 'leads' },
  Leads: { read: 'leads', write: 'leads' },
  'Market data': { read: 'market', write: 'market' },
  Account: { read: null, write: null },
  // No route of these takes an account's key.
  Media: { read: null, write: null },
  Operator: { read: null, write: null },
  Platform: { read: null, write: null },
} as const satisfies Record<string, { read: Scope | null; write: Scope | null }>;
export type Tag = keyof typeof SCOPES;

/** What a route says of the keys it takes. */
interface Route {
  tag: Tag;
  method: string;
  scope?: Scope;
  boundToDealer?: true;
}

/** The scopes that a call needs; none: any key of the account. */
export function scopesFor({ tag, method, scope }: Route): Scope[] {
  return [SCOPES[tag][method === 'GET' ? 'read' : 'write'], scope].filter((needed) => needed != null);
}

/** FORBIDDEN for a key that lacks a scope, and for a key of one dealer where the whole account is concerned. */
export function checkReach(route: Route, principal: Principal): void {
  for (const scope of scopesFor(route)) checkScope({ principal }, scope);
  const { dealer } = principal;
  if (dealer !== null && !route.boundToDealer)
    throw new ApiError(
      'FORBIDDEN',
      'A key for one dealer does not reach what belongs to the whole account.',
      { details: { reason: 'dealer_key', dealer } },
    );
}
