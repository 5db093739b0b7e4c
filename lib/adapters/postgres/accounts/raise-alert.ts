import type { AlertKind } from '../../../ports/accounts/alerts.ts';

/** Raises an alert of account $1 for each row of `when`, at most one: due now, or when the last mail is a day old. */
export const raiseAlert = (kind: AlertKind, when: string) => `
      insert into owner_alerts as a (account_id, kind, due_at)
      select $1, '${kind}', now() from ${when} limit 1
      on conflict (account_id, kind) do update set
        due_at = coalesce(a.due_at, greatest(now(), a.sent_at + interval '1 day'))`;
