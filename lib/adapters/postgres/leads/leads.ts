import type { DeliveryJob, Lead, Leads } from '../../../ports/leads.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { iso } from '../listings/iso-time.ts';
import { postgresConversations } from './conversations.ts';

/**
 * Leads and their outbox. A claim of a delivery is a lease (`due_at` moves on) with a fencing token; every verdict
 * names the token, so that a holder who slept through its lease changes nothing.
 */
export function postgresLeads(sql: Sql): Leads {
  /** A verdict on a job; true when it still was the holder's to give. */
  const rule = async (statement: Statement, job: DeliveryJob, ...params: unknown[]) => {
    const { accountId, leadId, kind, fence } = job;
    return (await sql.query(statement, [accountId, leadId, kind, fence, ...params])).length > 0;
  };
  return {
    of: (accountId) => {
      const one = async (statement: Statement, ...params: unknown[]) => {
        const [row] = await sql.query<{ lead: Lead }>(statement, [accountId, ...params]);
        return row?.lead ?? null;
      };
      return {
        capture: (visit, newConversationId, lead) =>
          sql.transaction(async (bound) => {
            const conversation = await postgresConversations(bound)
              .of(accountId)
              .enter(visit, newConversationId);
            const { id: conversationId, leadId } = conversation;
            if (leadId !== null) return { captured: false, leadId, conversationId };
            const { id, name, email, phone, message, vin, suspicious, doubts, consent } = lead;
            await bound.query(CAPTURE, [
              ...[accountId, id, visit.dealer, conversationId, visit.visitorId],
              ...[name, email, phone, message, vin, suspicious, JSON.stringify(doubts)],
              consent === null ? null : JSON.stringify(consent),
            ]);
            return { captured: true, leadId: id, conversationId };
          }, 'ingest'),
        async list({ dealer, status, since }, { limit, after }) {
          const rows = await sql.query<{ lead: Lead }>(LIST, [
            ...[accountId, dealer, status, since, after, limit],
          ]);
          return rows.map(({ lead }) => lead);
        },
        get: (id) => one(GET, id),
        async setStatus(id, status) {
          await sql.query(SET_STATUS, [accountId, id, status]);
          return one(GET, id);
        },
        async erase(id) {
          return (await sql.query(ERASE, [accountId, id])).length > 0;
        },
      };
    },
    claim: (limit, leaseSeconds) => sql.query<DeliveryJob>(CLAIM, [limit, leaseSeconds]),
    delivered: (job) => rule(DELIVERED, job),
    retry: (job, error, delaySeconds) => rule(RETRY, job, error, delaySeconds),
    bury: (job, error) => rule(BURY, job, error),
    async sweep(days) {
      const [row] = await sql.query<{ swept: number }>(SWEEP, [days]);
      return row?.swept ?? 0;
    },
  };
}

/**
 * The lead with its transcript and truck, the mark on its conversation, whose row the transaction holds, and one
 * delivery per way the dealer has.
 */
const CAPTURE: Statement = {
  role: 'ingest',
  text: `
    with truck as (
      select json_build_object('vin', l.vin, 'year', l.doc->'year', 'make', l.doc->'make', 'model', l.doc->'model',
        'trim', l.doc->'trim', 'condition', l.doc->'condition', 'price', l.doc->'price', 'mileage', l.doc->'mileage',
        'stock_number', l.doc->'stock_number') as facts
      from listings l where l.account_id = $1 and l.vin = $10::text and l.dealer = $3::text and l.version > 0
      order by l.status = 'available' desc, l.observed_at desc, l.dedup_hash limit 1
    ), transcript as (
      select coalesce(json_agg(json_build_object('role', m.role, 'text', m.text, 'at', ${iso('m.at')}) order by m.n), '[]')
        as said
      from messages m where m.account_id = $1 and m.conversation_id = $4::text
    ), marked as (
      update conversations set lead_id = $2::text where account_id = $1 and id = $4::text
    ), outbox as (
      insert into lead_deliveries (account_id, lead_id, kind)
      select $1, $2::text, way.kind
      from dealers d, lateral (values ('email', d.lead_email), ('webhook', d.lead_webhook_url)) as way(kind, target)
      where d.account_id = $1 and d.slug = $3::text and way.target is not null
    )
    insert into leads (account_id, id, dealer, conversation_id, visitor_id, name, email, phone, message, vin, suspicious,
      doubts, consent, truck, transcript)
    select $1, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::boolean,
      $12::json, $13::json, (select facts from truck), said
    from transcript`,
};

const LEAD = `json_build_object('id', l.id, 'dealer', l.dealer, 'conversation_id', l.conversation_id,
      'visitor_id', l.visitor_id, 'name', l.name, 'email', l.email, 'phone', l.phone, 'message', l.message, 'vin', l.vin,
      'truck', l.truck, 'status', l.status, 'suspicious', l.suspicious, 'doubts', l.doubts, 'consent', l.consent,
      'transcript', l.transcript, 'delivery', (
        select coalesce(json_agg(json_build_object('kind', d.kind, 'status', d.status, 'attempts', d.attempts,
          'last_error', d.last_error, 'next_try_at', case when d.status = 'pending' then ${iso('d.due_at')} end,
          'delivered_at', ${iso('d.delivered_at')}) order by d.kind), '[]')
        from lead_deliveries d where d.account_id = $1 and d.lead_id = l.id),
      'created_at', ${iso('l.created_at')}, 'updated_at', ${iso('l.updated_at')}) as lead`;

const LIST: Statement = {
  text: `
    select ${LEAD} from leads l
    where l.account_id = $1 and ($2::text is null or l.dealer = $2) and ($3::text is null or l.status = $3)
      and ($4::timestamptz is null or l.created_at >= $4) and ($5::text is null or l.id < $5)
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
    )
    select conversation_id from gone`,
};

/** Across all accounts, the longest due first. The try is counted here: one that takes its holder down counts too. */
const CLAIM: Statement = {
  text: `
    update lead_deliveries d set fence = d.fence + 1, attempts = d.attempts + 1,
      due_at = now() + make_interval(secs => $2::int)
    from (select account_id, lead_id, kind from lead_deliveries where status = 'pending' and due_at <= now()
      order by due_at limit $1::int for update skip locked) as due
    where d.account_id = due.account_id and d.lead_id = due.lead_id and d.kind = due.kind
    returning d.account_id as "accountId", d.lead_id as "leadId", d.kind, d.attempts, d.fence,
      extract(epoch from now() - d.created_at)::float8 as "ageSeconds"`,
};

const MINE = `lead_id = $2 and kind = $3 and fence = $4::int and status = 'pending'`;

const DELIVERED: Statement = {
  text: `
    update lead_deliveries set status = 'delivered', last_error = null, delivered_at = now()
    where account_id = $1 and ${MINE} returning kind`,
};

const RETRY: Statement = {
  text: `
    update lead_deliveries set last_error = $5, due_at = now() + make_interval(secs => $6::int)
    where account_id = $1 and ${MINE} returning kind`,
};

const BURY: Statement = {
  text: `
    update lead_deliveries set status = 'dead', last_error = $5 where account_id = $1 and ${MINE} returning kind`,
};

/** Across all accounts: what has been kept long enough. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with swept as (delete from leads where created_at < now() - make_interval(days => $1::int) returning 1)
    select count(*)::int as swept from swept`,
};
