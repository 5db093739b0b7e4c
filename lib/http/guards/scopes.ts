import type { Scope } from '../../accounts/access.ts';
import type { Principal } from '../../accounts/keys/principal.ts';
import { ApiError } from '../../errors.ts';
import type { Context } from '../context.ts';

/** What a key may read and write, whatever route leads there. */

type Caller = Pick<Context, 'principal'>;
type Members = Readonly<Record<string, Scope>>;

const hasScope = ({ principal }: Caller, scope: Scope): boolean => principal?.scopes?.includes(scope) ?? true;

/** Throws FORBIDDEN for a key that lacks the scope; `field`: the member that needs it. */
export function checkScope(caller: Caller, scope: Scope, field?: string): void {
  if (hasScope(caller, scope)) return;
  const scopes = caller.principal?.scopes;
  throw new ApiError('FORBIDDEN', `The key lacks the scope ${scope}.`, {
    details: { reason: 'scope_missing', scope, scopes, ...(field === undefined ? {} : { field }) },
  });
}

/** Throws FORBIDDEN for a member that was sent, if only as null, and whose scope the key lacks. */
export function checkMembers(
  caller: Caller,
  members: Members,
  body: Readonly<Record<string, unknown>>,
): void {
  for (const [name, scope] of Object.entries(members))
    if (body[name] !== undefined) checkScope(caller, scope, name);
}

/** The record with null for members whose scope the key lacks. */
export function hideMembers<Whole extends object, Scoped extends Members>(
  caller: Caller,
  members: Scoped,
  record: Whole,
) {
  const hiddenNames = Object.keys(record).filter((name) => members[name] && !hasScope(caller, members[name]));
  // What is written over are members of the record that `members` names, each with null.
  return { ...record, ...Object.fromEntries(hiddenNames.map((name) => [name, null])) } as {
    [Name in keyof Whole]: Name extends keyof Scoped ? Whole[Name] | null : Whole[Name];
  };
}

/** Per tag the scope that reading needs and the one that writing needs; null: any key of the account. */
const SCOPES = {
  Inventory: ['inventory:read', 'inventory:write'],
  Dealers: ['inventory:read', 'inventory:write'],
  Feeds: ['feeds', 'feeds'],
  Widget: ['inventory:read', 'leads'],
  Leads: ['leads', 'leads'],
  'Market data': ['market', 'market'],
  Account: [null, null],
  // No route of these takes an account's key.
  Media: [null, null],
  Operator: [null, null],
  Platform: [null, null],
} as const satisfies Record<string, readonly (Scope | null)[]>;
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
  return [SCOPES[tag][method === 'GET' ? 0 : 1], scope].filter((requiredScope) => requiredScope != null);
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
