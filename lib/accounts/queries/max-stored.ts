import { MAX_STORED, type Stored, TIERS } from '../access.ts';

/** How much of it the account may store. `account`: a parameter, or a column of another table. */
export const maxStored = (what: Stored, account: string) => {
  const cases = TIERS.map((tier) => `when '${tier}' then ${MAX_STORED[what][tier]}`).join(' ');
  return `(select (case tier ${cases} end)::float8 * limit_multiplier from accounts where id = ${account})`;
};
