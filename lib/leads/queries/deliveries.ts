import { iso, START_MOMENT } from '../../db/fragments.ts';
import { enqueueDeliveries, raiseAlert } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { DeliveryKind, DeliveryStatus } from '../states.ts';
import { WAYS } from './capture.ts';

/** An enquiry on one way to its dealer. */
export interface Delivery {
  leadId: string;
  /** Number of the update; 0: the lead itself. */
  update: number;
  kind: DeliveryKind;
}

/** What a try of a delivery came to. */
interface DeliveryEnd {
  status: DeliveryStatus;
  error: string | null;
  attempts: number;
  /** Until the next try; null: there is none. */
  againSeconds: number | null;
}

/** Of a delivery that is still pending. One that is given up raises an alert. */
export const endDelivery = (
  db: Sql,
  accountId: string,
  { leadId, update, kind }: Delivery,
  { status, error, attempts, againSeconds }: DeliveryEnd,
) => db.query(END, [accountId, leadId, update, kind, status, error, attempts, againSeconds]);

/** Makes what was not delivered due now, with tries as new, and adds ways that the dealer has gained. */
export const requeueDeliveries = (db: Sql, accountId: string, leadId: string) =>
  db.query(REQUEUE, [accountId, leadId]);

/** An enquiry that looks automated. */
export interface FlaggedEnquiry {
  leadId: string;
  update: number;
  /** Name or contact. */
  who: string;
  at: string;
}

/** Flagged enquiries that wait to be mailed to a dealer, the longest due first. */
export const listWaitingFlagged = (db: Sql, accountId: string, dealer: string) =>
  db.query<FlaggedEnquiry>(WAITING_FLAGGED, [accountId, dealer]);

/** They reached their dealer in a digest. */
export const endInDigest = (db: Sql, accountId: string, enquiries: readonly FlaggedEnquiry[]) =>
  db.query(END_IN_DIGEST, [accountId, JSON.stringify(enquiries)]);

const END: Statement = {
  text: `
    with ended as (
      update lead_deliveries d set status = $5, last_error = $6, attempts = $7::int,
        delivered_at = case when $5 = 'delivered' then moment.at end,
        due_at = coalesce(moment.next, d.due_at)
      from (select now() as at, now() + make_interval(secs => $8::float8) as next) moment
      where d.account_id = $1 and d.lead_id = $2 and d.update_n = $3::int and d.kind = $4 and d.status = 'pending'
      returning d.kind
    ), raised as (${raiseAlert('lead', `ended where $5 = 'dead'`)}
    )
    select kind from ended`,
};

const REQUEUE: Statement = {
  text: `
    with again as (
      update lead_deliveries d set due_at = moment.at, attempts = 0, status = 'pending' from ${START_MOMENT}
      where d.account_id = $1 and d.lead_id = $2 and d.status <> 'delivered'
      returning d.lead_id, d.update_n, d.kind, d.suspicious
    ), gained as (
      insert into lead_deliveries as d (account_id, lead_id, update_n, kind, dealer, suspicious)
      select $1, l.id, enquiry.n, way.kind, d.slug, enquiry.suspicious
      from leads l, lateral (
        select 0 as n, l.suspicious union all select u.n, u.suspicious from lead_updates u where u.account_id = $1 and u.lead_id = l.id) enquiry,
        ${WAYS}
      where l.account_id = $1 and l.id = $2 and d.account_id = $1 and d.slug = l.dealer and way.target is not null
      on conflict (account_id, lead_id, update_n, kind) do nothing
      returning d.lead_id, d.update_n, d.kind, d.suspicious
    ), queued as (${enqueueDeliveries('(select * from again union all select * from gained) d')}
    )
    select 1 as one`,
};

/** As many as a person may look through in one mail; the others wait for the next. */
const MAX_IN_DIGEST = 500;

const WAITING_FLAGGED: Statement = {
  text: `
    select d.lead_id as "leadId", d.update_n as update, coalesce(e.name, e.email, e.phone) as who, ${iso('e.created_at')} as at
    from lead_deliveries d, lateral (
      select suspicious, name, email, phone, created_at from leads
      where account_id = $1 and id = d.lead_id and d.update_n = 0
      union all
      select suspicious, name, email, phone, created_at from lead_updates
      where account_id = $1 and lead_id = d.lead_id and n = d.update_n
      limit 1) as e
    where d.account_id = $1 and d.dealer = $2 and d.kind = 'email' and d.status = 'pending' and e.suspicious
    order by d.due_at limit ${MAX_IN_DIGEST}`,
};

const END_IN_DIGEST: Statement = {
  text: `
    update lead_deliveries d set status = 'delivered', last_error = 'in_digest', delivered_at = now()
    from json_to_recordset($2::json) as listed("leadId" text, update int)
    where d.account_id = $1 and d.lead_id = listed."leadId" and d.update_n = listed.update and d.kind = 'email'
      and d.status = 'pending'`,
};
