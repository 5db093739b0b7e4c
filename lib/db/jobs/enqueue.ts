import type { ownerAlerts } from '../../../drizzle/schema/alerts.ts';
import { HOME, START_MOMENT } from '../fragments.ts';

/**
 * Parts of statements that write what a job is about: the job is enqueued with it or not at all. `select` gives account,
 * kind, key and the other `columns`. A job that is there already is due anew, with all its tries.
 */
export const enqueue = (select: string, columns = '') => `
      insert into jobs as j (account_id, kind, key${columns}) ${select}
      on conflict (account_id, kind, key) do update set
        due_at = excluded.due_at, tries = 0, payload = excluded.payload, created_at = excluded.created_at`;

/** Kind and key for a row `d` of `lead_deliveries`. Flagged leads have a kind of their own, so that they delay no others. */
const DELIVERY_JOB = `case when d.suspicious then 'flagged' else d.kind end, d.lead_id || '.' || d.update_n || '.' || d.kind`;

/** Enqueues deliveries of account $1, for rows `d`. */
export const enqueueDeliveries = (rows: string) =>
  enqueue(`select home.account_id, ${DELIVERY_JOB} from ${HOME}, ${rows}`);

/**
 * When the last mail of a row `a` of `owner_alerts` is a day old. In UTC, so that the sum is the same in every time
 * zone.
 */
export const A_DAY_AFTER_MAIL = `(a.sent_at at time zone 'utc' + interval '1 day') at time zone 'utc'`;

/** Enqueues a mail to the owners of account $1 if `rows` has any: now, or a day after the last mail of the kind. */
export const raiseAlert = (kind: typeof ownerAlerts.$inferSelect.kind, rows: string) => `
      insert into jobs as j (account_id, kind, key, due_at)
      select home.account_id, 'alert', '${kind}', greatest(moment.at, (
        select ${A_DAY_AFTER_MAIL} from owner_alerts a where a.account_id = $1 and a.kind = '${kind}'))
      from ${HOME}, ${START_MOMENT} where exists (select 1 from ${rows})
      on conflict (account_id, kind, key) do update set due_at = excluded.due_at where j.leased_until is not null`;

/**
 * Enqueues the move of trucks with their dealers, `slug` in `rows` of account $1. It is due a minute later, when
 * writers that read the old place have ended.
 */
export const enqueueMove = (rows: string) =>
  enqueue(
    `select home.account_id, 'dealer', slug, now() + interval '1 minute' from ${HOME}, ${rows}`,
    ', due_at',
  );
