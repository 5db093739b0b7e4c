import type { Scope } from '../../accounts/access.ts';
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
  sent: Readonly<Record<string, unknown>>,
): void {
  for (const [name, scope] of Object.entries(members))
    if (sent[name] !== undefined) checkScope(caller, scope, name);
}

/** The record with null for members whose scope the key lacks. */
export function hideMembers<Whole extends object, Scoped extends Members>(
  caller: Caller,
  members: Scoped,
  record: Whole,
) {
  const hidden = Object.keys(record).filter((name) => members[name] && !hasScope(caller, members[name]));
  // What is written over are members of the record that `members` names, each with null.
  return { ...record, ...Object.fromEntries(hidden.map((name) => [name, null])) } as {
    [Name in keyof Whole]: Name extends keyof Scoped ? Whole[Name] | null : Whole[Name];
  };
}
