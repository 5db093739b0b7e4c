import { START_MOMENT } from '../../db/connection/moments.ts';
import { enqueueDeliveries, raiseAlert } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { FlaggedEnquiry, Lead, Leads } from '../ports/leads.ts';
import { capture } from './capture.ts';
import { WAYS } from './capture-sql.ts';

export function postgresLeads(sql: Sql): Leads {
  return {
    of: (accountId) => {
      const one = async (statement: Statement, ...params: unknown[]) => {
        const [row] = await sql.query<{ lead: Lead }>(statement, [accountId, ...params]);
        return row?.lead ?? null;
      };
      return {
        capture: (visit, newConversationId, lead) =>
          sql.transaction((bound) => capture(bound, accountId, visit, newConversationId, lead), 'ingest'),
        async list({ dealer, status, since, updatedSince, email, phone }, { limit, after }) {
          const rows = await sql.query<{ lead: Lead }>(LIST, [
            accountId,
            dealer,
            status,
            since,
            after,
            limit,
            updatedSince,
            email,
            phone,
          ]);
          return rows.map(({ lead }) => lead);
        },
        get: (id) => one(GET, id),
        async setStatus(id, status) {
          await sql.query(SET_STATUS, [accountId, id, status]);
          return one(GET, id);
        },
        async retryDeliveries(id) {
          await sql.query(RETRY_NOW, [accountId, id]);
        },
        waitingFlagged: (dealer) => sql.query<FlaggedEnquiry>(WAITING_FLAGGED, [accountId, dealer]),
        async deliveredInDigest(enquiries) {
          await sql.query(DELIVERED_IN_DIGEST, [accountId, JSON.stringify(enquiries)]);
        },
        async endDelivery({ leadId, update, kind }, { status, error, attempts, againSeconds }) {
          await sql.query(END, [accountId, leadId, update, kind, status, error, attempts, againSeconds]);
        },
        async erase(id, { requestId, actor }) {
          return (await sql.query(ERASE, [accountId, id, requestId, actor])).length > 0;
        },
      };
    },
    async sweep(days) {
      const [row] = await sql.query<{ swept: number }>(SWEEP, [days]);
      return row?.swept ?? 0;
    },
  };
}

const selectDeliveries = (update: string) => `(
        select coalesce(json_agg(json_build_object('kind', d.kind, 'status', d.status, 'attempts', d.attempts,
          'last_error', d.last_error, 'next_try_at', case when d.status = 'pending' then ${iso('d.due_at')} end,
          'delivered_at', ${iso('d.delivered_at')}) order by d.kind), '[]')
        from lead_deliveries d where d.account_id = $1 and d.lead_id = l.id and d.update_n = ${update})`;

const UPDATES = `(
        select coalesce(json_agg(json_build_object('n', u.n, 'name', u.name, 'email', u.email, 'phone', u.phone,
          'message', u.message, 'vin', u.vin, 'truck', u.truck, 'suspicious', u.suspicious, 'doubts', u.doubts,
          'consent', u.consent, 'intent', u.intent, 'details', coalesce(u.details, '{}'), 'marketing', u.marketing, 'transcript', u.transcript, 'delivery', ${selectDeliveries('u.n')},
          'created_at', ${iso('u.created_at')}) order by u.n), '[]')
        from lead_updates u where u.account_id = $1 and u.lead_id = l.id)`;

const LEAD = `json_build_object('id', l.id, 'dealer', l.dealer, 'conversation_id', l.conversation_id,
      'visitor_id', l.visitor_id, 'name', l.name, 'email', l.email, 'phone', l.phone, 'message', l.message, 'vin', l.vin,
      'truck', l.truck, 'status', l.status, 'suspicious', l.suspicious, 'doubts', l.doubts, 'consent', l.consent,
      'intent', l.intent, 'details', coalesce(l.details, '{}'), 'marketing', l.marketing, 'transcript', l.transcript, 'delivery', ${selectDeliveries('0')}, 'updates', ${UPDATES},
      'created_at', ${iso('l.created_at')}, 'updated_at', ${iso('l.updated_at')}) as lead`;

const LIST: Statement = {
  text: `
    select ${LEAD} from leads l
    where l.account_id = $1 and ($2::text is null or l.dealer = $2) and ($3::text is null or l.status = $3)
      and ($4::timestamptz is null or l.created_at >= $4) and ($5::text is null or l.id < $5)
      and ($7::timestamptz is null or l.updated_at >= $7)
      and ($8::text is null or lower(l.email) = $8 or exists (
        select 1 from lead_updates u where u.account_id = $1 and u.lead_id = l.id and lower(u.email) = $8))
      and ($9::text is null or l.phone = $9 or exists (
        select 1 from lead_updates u where u.account_id = $1 and u.lead_id = l.id and u.phone = $9))
    order by l.id desc limit $6::int`,
};

const GET: Statement = { text: `select ${LEAD} from leads l where l.account_id = $1 and l.id = $2` };

const SET_STATUS: Statement = {
  text: `
    update leads set status = $3, updated_at = now() where account_id = $1 and id = $2 and status <> $3`,
};

const ERASE: Statement = {
  text: `
    with gone as (
      delete from leads where account_id = $1 and id = $2 returning conversation_id
    ), silenced as (
      delete from conversations c using gone where c.account_id = $1 and c.id = gone.conversation_id
    ), audited as (
      insert into audit (action, target, request_id, detail, account_id, actor)
      select 'lead.erase', $1, $3, jsonb_build_object('lead', $2::text), $1, $4 from gone
    )
    select conversation_id from gone`,
};

const RETRY_NOW: Statement = {
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

/** Of one that has reached its dealer in another way, or was given up, nothing is written. */
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

const DELIVERED_IN_DIGEST: Statement = {
  text: `
    update lead_deliveries d set status = 'delivered', last_error = 'in_digest', delivered_at = now()
    from json_to_recordset($2::json) as listed("leadId" text, update int)
    where d.account_id = $1 and d.lead_id = listed."leadId" and d.update_n = listed.update and d.kind = 'email'
      and d.status = 'pending'`,
};

/** Across all accounts: what has been kept long enough. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    /* all accounts */ with swept as (delete from leads where created_at < now() - make_interval(days => $1::int) returning 1)
    select count(*)::int as swept from swept`,
};
