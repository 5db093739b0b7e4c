import { START_MOMENT } from '../../db/fragments.ts';
import { enqueueDeliveries, raiseAlert } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { DeliveryKind, DeliveryStatus } from '../statuses.ts';
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
