import { iso } from '../../db/fragments.ts';
import type { Page, Sql, Statement } from '../../db/sql.ts';
import type { Lead } from '../schemas/leads.ts';
import type { LeadStatus } from '../statuses.ts';

/** Absent: any. Times as ISO 8601; the address in lower case and the phone as E.164 are of the lead or of an update of it. */
type LeadFilters = Partial<
  Record<'dealer' | 'status' | 'since' | 'updated_since' | 'email' | 'phone', string | null | undefined>
>;

/** Newest first. */
export async function selectLeads(
  db: Sql,
  accountId: string,
  { dealer, status, since, updated_since, email, phone }: LeadFilters,
  { limit, after }: Page,
): Promise<Lead[]> {
  const filters = [dealer, status, since, updated_since, email, phone].map((each) => each ?? null);
  const rows = await db.query<{ lead: Lead }>(LIST, [accountId, ...filters, after, limit]);
  return rows.map(({ lead }) => lead);
}

export async function selectLead(db: Sql, accountId: string, id: string): Promise<Lead | null> {
  const [row] = await db.query<{ lead: Lead }>(
    { text: `select ${LEAD} from leads l where l.account_id = $1 and l.id = $2` },
    [accountId, id],
  );
  return row?.lead ?? null;
}

export const setStatus = (db: Sql, accountId: string, id: string, status: LeadStatus) =>
  db.query(
    {
      text: `
        update leads set status = $3, updated_at = now() where account_id = $1 and id = $2 and status <> $3`,
    },
    [accountId, id, status],
  );

/** Forgets the lead, its transcript and its conversation, and leaves an audit row; false when there is no such lead. */
export const deleteLead = async (
  db: Sql,
  accountId: string,
  id: string,
  { requestId, actor }: { requestId: string; actor: string },
): Promise<boolean> => (await db.query(DELETE, [accountId, id, requestId, actor])).length > 0;

/** Forgets leads captured more than so many days ago; returns the number of them. */
export async function sweepLeads(db: Sql, days: number): Promise<number> {
  const text = `
    /* all accounts */ delete from leads where created_at < now() - make_interval(days => $1::int)
    returning true as swept`;
  return (await db.query({ timeout: 'job', text }, [days])).length;
}

const selectDeliveries = (update: string) => `(
        select coalesce(json_agg(json_build_object('kind', d.kind, 'status', d.status, 'attempts', d.attempts,
          'last_error', d.last_error, 'next_try_at', case when d.status = 'pending' then ${iso('d.due_at')} end,
          'delivered_at', ${iso('d.delivered_at')}) order by d.kind), '[]')
        from lead_deliveries d where d.account_id = $1 and d.lead_id = l.id and d.update_n = ${update})`;

const UPDATES = `(
        select coalesce(json_agg(json_build_object('n', u.n, 'name', u.name, 'email', u.email, 'phone', u.phone,
          'message', u.message, 'vin', u.vin, 'truck', u.truck, 'suspicious', u.suspicious, 'spam_signals', u.doubts,
          'consent', u.consent, 'intent', u.intent, 'details', coalesce(u.details, '{}'), 'marketing', u.marketing, 'transcript', u.transcript, 'delivery', ${selectDeliveries('u.n')},
          'created_at', ${iso('u.created_at')}) order by u.n), '[]')
        from lead_updates u where u.account_id = $1 and u.lead_id = l.id)`;

const LEAD = `json_build_object('id', l.id, 'dealer', l.dealer, 'conversation_id', l.conversation_id,
      'visitor_id', l.visitor_id, 'name', l.name, 'email', l.email, 'phone', l.phone, 'message', l.message, 'vin', l.vin,
      'truck', l.truck, 'status', l.status, 'suspicious', l.suspicious, 'spam_signals', l.doubts, 'consent', l.consent,
      'intent', l.intent, 'details', coalesce(l.details, '{}'), 'marketing', l.marketing, 'transcript', l.transcript, 'delivery', ${selectDeliveries('0')}, 'updates', ${UPDATES},
      'created_at', ${iso('l.created_at')}, 'updated_at', ${iso('l.updated_at')}) as lead`;

const LIST: Statement = {
  text: `
    select ${LEAD} from leads l
    where l.account_id = $1 and ($2::text is null or l.dealer = $2) and ($3::text is null or l.status = $3)
      and ($4::timestamptz is null or l.created_at >= $4) and ($5::timestamptz is null or l.updated_at >= $5)
      and ($6::text is null or lower(l.email) = $6 or exists (
        select 1 from lead_updates u where u.account_id = $1 and u.lead_id = l.id and lower(u.email) = $6))
      and ($7::text is null or l.phone = $7 or exists (
        select 1 from lead_updates u where u.account_id = $1 and u.lead_id = l.id and u.phone = $7))
      and ($8::text is null or l.id < $8)
    order by l.id desc limit $9::int`,
};

const DELETE: Statement = {
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
