import { ApiError } from '../../errors.ts';
import type { Principal, Scope } from '../../ports/accounts/accounts.ts';
import type { Endpoint } from '../endpoint.ts';

/** The scope that a call needs; null: any key of the account. */
export function scopeFor({ tag, method }: Pick<Endpoint, 'tag' | 'method'>): Scope | null {
  const reads = method === 'GET';
  if (tag === 'Inventory' || tag === 'Dealers') return reads ? 'inventory:read' : 'inventory:write';
  if (tag === 'Widget') return reads ? 'inventory:read' : 'leads';
  if (tag === 'Market data') return 'market';
  if (tag === 'Leads') return 'leads';
  return tag === 'Feeds' ? 'feeds' : null;
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
      {
        details: { reason: 'dealer_key', dealer },
      },
    );
}
