import type { AlertKind } from '../../../ports/accounts/alerts.ts';

/** Of a row `a`: the sum is the same in every time zone, and a distributed table asks that it is. */
export const A_DAY_AFTER_MAIL = `(a.sent_at at time zone 'utc' + interval '1 day') at time zone 'utc'`;

/** Raises an alert of account $1 for each row of `when`, at most one: due now, or when the last mail is a day old. */
export const raiseAlert = (kind: AlertKind, when: string) => `
      insert into owner_alerts as a (account_id, kind, due_at)
      select $1, '${kind}', now() from ${when} limit 1
      on conflict (account_id, kind) do update set
        due_at = coalesce(a.due_at, greatest(excluded.due_at, ${A_DAY_AFTER_MAIL}))`;
