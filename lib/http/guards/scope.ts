import type { Scope } from '../../contract/accounts/access.ts';
import { ApiError } from '../../errors.ts';
import type { Principal } from '../../ports/accounts/accounts.ts';
import type { Endpoint } from '../endpoint.ts';

/** Per tag the scopes that reading and writing need; null: any key of the account. */
const SCOPES: Readonly<Record<Endpoint['tag'], { read: Scope | null; write: Scope | null }>> = {
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
};

/** The scope that a call needs; null: any key of the account. */
export function scopeFor({ tag, method }: Pick<Endpoint, 'tag' | 'method'>): Scope | null {
  return SCOPES[tag][method === 'GET' ? 'read' : 'write'];
}

/** FORBIDDEN for a key that lacks the scope, and for a key of one dealer where the whole account is concerned. */
export function checkScope(endpoint: Endpoint, { scopes, dealer }: Principal): void {
  const scope = scopeFor(endpoint);
  if (scopes !== null && scope !== null && !scopes.includes(scope))
    throw new ApiError('FORBIDDEN', `The key lacks the scope ${scope}.`, {
      details: { reason: 'scope_missing', scope, scopes },
    });
  if (dealer !== null && !endpoint.boundToDealer)
    throw new ApiError(
      'FORBIDDEN',
      'A key for one dealer does not reach what belongs to the whole account.',
      { details: { reason: 'dealer_key', dealer } },
    );
}
