import { HOME, iso, START_MOMENT, unpackRow } from '../../db/fragments.ts';
import { enqueueDeliveries } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { FRESHEST } from '../../inventory/queries/listing-json.ts';
import { enterConversation, type Visit } from '../enter-conversation.ts';
import type { NewLead } from '../schemas/leads.ts';

/**
 * Stores an enquiry in the visitor's conversation, with its transcript, the truck of the VIN and one delivery per way the
 * dealer has, all or nothing. A conversation has one lead: another enquiry becomes an update of it with deliveries of its
 * own, and makes the lead `new` again. `repeated`: the very enquiry is stored already; nothing changed.
 */
export const storeEnquiry = (
  db: Sql,
  accountId: string,
  visit: Visit,
  newConversationId: string,
  { id, spam_signals, ...enquiry }: NewLead,
) =>
  db.transaction(async (tx) => {
    const conversation = await enterWithRoom(tx, accountId, visit, newConversationId, enquiry);
    // `spam_signals` is stored in the column `doubts`.
    const stored = JSON.stringify({ ...enquiry, doubts: spam_signals });
    const leadId = conversation.leadId ?? id;
    const isFirst = conversation.leadId === null;
    const who = [accountId, leadId, visit.dealer, conversation.id, visit.visitorId];
    const rows = await tx.query(isFirst ? CAPTURE : ADD_UPDATE, [...who, stored]);
    const outcome = rows.length === 0 ? 'repeated' : isFirst ? 'captured' : 'updated';
    return { outcome, leadId, conversationId: conversation.id } as const;
  }, 'ingest');

/** The visitor's conversation; one whose lead takes no more updates, or is another person's, is closed for the next. */
async function enterWithRoom(
  tx: Sql,
  accountId: string,
  visit: Visit,
  newId: string,
  enquiry: Pick<NewLead, 'name' | 'email' | 'phone'>,
): Promise<{ id: string; leadId: string | null }> {
  const entered = await enterConversation(tx, accountId, visit, newId);
  if (entered.leadId === null) return entered;
  const params = [accountId, entered.id, entered.leadId, enquiry.name, enquiry.email, enquiry.phone];
  const [closed] = await tx.query<{ othersSince: string | null }>(CLOSE_ENDED, params);
  if (closed === undefined) return entered;
  const next = await enterWithRoom(tx, accountId, { ...visit, conversationId: null }, newId, enquiry);
  if (closed.othersSince !== null)
    await tx.query(MOVE_MESSAGES, [accountId, entered.id, next.id, closed.othersSince]);
  return next;
}

/** An open lead takes so many updates; the visitor's next enquiry is a lead of its own. */
const MAX_UPDATES = 50;

const COLUMNS = 'name, email, phone, message, vin, suspicious, doubts, consent, intent, details, marketing';

/** The enquiry, $6: the one row `e`. */
const ENQUIRY = `${unpackRow('$6')} as e(name text, email text, phone text, message text, vin text,
        suspicious boolean, doubts json, consent json, intent text, details json, marketing json)`;

/** The facts of the enquiry's truck, as account $1 and dealer $3 have it. */
const TRUCK_FACTS = `
      select json_build_object('vin', l.vin, 'year', l.doc->'year', 'make', l.doc->'make', 'model', l.doc->'model',
        'trim', l.doc->'trim', 'condition', l.doc->'condition', 'price', l.doc->'price', 'currency', l.doc->'currency', 'mileage', l.doc->'mileage',
        'stock_number', l.doc->'stock_number') as facts
      from listings l where l.account_id = $1 and l.vin = $6::json->>'vin' and l.dealer = $3::text
        and l.version > 0
      order by ${FRESHEST} limit 1`;

const TRANSCRIPT = `coalesce(json_agg(json_build_object('role', m.role, 'text', m.text, 'at', ${iso('m.at')}) order by m.n), '[]')`;

/** The ways that leads go to a dealer `d` now. */
export const WAYS = `dealers d, lateral (values ('email', d.lead_email), ('webhook', d.lead_webhook_url)) as way(kind, target)`;

/** The lead with its transcript and truck, the mark on its conversation, and one delivery per way the dealer has. */
const CAPTURE: Statement = {
  text: `
    with truck as (${TRUCK_FACTS}
    ), transcript as (
      select ${TRANSCRIPT} as spoken from messages m where m.account_id = $1 and m.conversation_id = $4::text
    ), captured as (
      insert into leads as l (account_id, id, dealer, conversation_id, visitor_id, ${COLUMNS}, truck, transcript)
      select home.account_id, $2::text, $3::text, $4::text, $5::text, e.*, (select facts from truck), spoken
      from ${HOME}, transcript, ${ENQUIRY} returning l.id, l.suspicious
    ), marked as (
      update conversations set lead_id = $2::text where account_id = $1 and id = $4::text
    ), outbox as (
      insert into lead_deliveries as d (account_id, lead_id, kind, dealer, suspicious)
      select d.account_id, $2::text, way.kind, d.slug, captured.suspicious from captured, ${WAYS}
      where d.account_id = $1 and d.slug = $3::text and way.target is not null
      returning d.lead_id, d.update_n, d.kind, d.suspicious
    ), queued as (${enqueueDeliveries('outbox d')}
    )
    select id from captured`,
};

/**
 * Adds an enquiry to a captured lead and returns its number; nothing when the very enquiry is stored already. What an
 * enquiry does not give (a name, a truck) makes it no other one.
 */
const ADD_UPDATE: Statement = {
  text: `
    with stored as (
      select created_at, ${COLUMNS} from leads
      where account_id = $1 and id = $2::text and visitor_id = $5::text
      union all
      select created_at, ${COLUMNS} from lead_updates where account_id = $1 and lead_id = $2::text
    ), latest as (
      select count(*)::int as n, max(created_at) as at from stored s, ${ENQUIRY}
      having not bool_or(s.message = e.message
        and (e.name is null or s.name is not distinct from e.name)
        and (e.email is null or s.email is not distinct from e.email)
        and (e.phone is null or s.phone is not distinct from e.phone)
        and (e.vin is null or s.vin is not distinct from e.vin)
        and (e.consent is null or s.consent is not null)
        and (e.intent is null
          or (s.intent is not distinct from e.intent and s.details::text is not distinct from e.details::text))
        and (e.marketing is null or s.marketing is not null))
    ), truck as (${TRUCK_FACTS}
    ), reopened as (
      update leads set status = 'new', updated_at = now() from latest where account_id = $1 and id = $2::text
    ), added as (
      insert into lead_updates as u (account_id, lead_id, n, ${COLUMNS}, truck, transcript)
      select home.account_id, $2::text, latest.n, e.*, (select facts from truck), (select ${TRANSCRIPT} from messages m
          where m.account_id = $1 and m.conversation_id = $4::text and m.at > latest.at)
      from ${HOME}, latest, ${ENQUIRY}
      returning u.n, u.suspicious
    ), outbox as (
      insert into lead_deliveries as d (account_id, lead_id, update_n, kind, dealer, suspicious)
      select d.account_id, $2::text, added.n, way.kind, d.slug, added.suspicious from added, ${WAYS}
      where d.account_id = $1 and d.slug = $3::text and way.target is not null
      returning d.lead_id, d.update_n, d.kind, d.suspicious
    ), queued as (${enqueueDeliveries('outbox d')}
    )
    select n from added`,
};

/**
 * Ends a conversation whose lead has its fill of updates, or is another person's: another name, and no address or phone
 * in common with any enquiry of it. Two persons may share a browser.
 */
const CLOSE_ENDED: Statement = {
  text: `
    with stored as (
      select name, email, phone, created_at from leads where account_id = $1 and id = $3
      union all
      select name, email, phone, created_at from lead_updates where account_id = $1 and lead_id = $3
    ), compared as (
      select count(*) > ${MAX_UPDATES} as is_full,
        bool_or(lower(name) = lower($4::text)) = false
          and bool_or(lower(email) = lower($5::text) or phone = $6::text) is not true as is_others,
        max(created_at)::text as at
      from stored
    )
    update conversations set closed_at = coalesce(closed_at, moment.at) from compared, ${START_MOMENT}
    where account_id = $1 and id = $2 and (is_full or is_others)
    returning case when is_others then compared.at end as "othersSince"`,
};

/** Hands what was written since the lead's last enquiry over to the conversation of the next person. */
const MOVE_MESSAGES: Statement = {
  text: `
    with moved as (
      update messages set conversation_id = $3
      where account_id = $1 and conversation_id = $2 and at > $4::timestamptz
      returning n
    )
    update conversations set messages = greatest(messages, (select max(n) from moved))
    where account_id = $1 and id = $3 and exists (select 1 from moved)`,
};
