import { START_MOMENT } from '../../db/connection/moments.ts';
import { enqueueDeliveries } from '../../db/jobs/enqueue.ts';
import type { Statement } from '../../db/sql.ts';
import { HOME } from '../../inventory/queries/home.ts';
import { iso } from '../../inventory/queries/iso-time.ts';

/** Statements that store an enquiry; the transaction holds the row of its conversation. */

/** An open lead takes so many updates; the visitor's next enquiry is a lead of its own. */
const MAX_UPDATES = 50;

/** The facts of the truck with VIN $10 of account $1 and dealer $3. */
const TRUCK_FACTS = `
      select json_build_object('vin', l.vin, 'year', l.doc->'year', 'make', l.doc->'make', 'model', l.doc->'model',
        'trim', l.doc->'trim', 'condition', l.doc->'condition', 'price', l.doc->'price', 'currency', l.doc->'currency', 'mileage', l.doc->'mileage',
        'stock_number', l.doc->'stock_number') as facts
      from listings l where l.account_id = $1 and l.vin = $10::text and l.dealer = $3::text
        and l.version > 0
      order by l.status = 'available' desc, l.observed_at desc, l.dedup_hash limit 1`;

const SAID = `coalesce(json_agg(json_build_object('role', m.role, 'text', m.text, 'at', ${iso('m.at')}) order by m.n), '[]')`;

/** The ways that leads go to a dealer `d` now. */
export const WAYS = `dealers d, lateral (values ('email', d.lead_email), ('webhook', d.lead_webhook_url)) as way(kind, target)`;

/** The lead with its transcript and truck, the mark on its conversation, and one delivery per way the dealer has. */
export const CAPTURE: Statement = {
  text: `
    with truck as (${TRUCK_FACTS}
    ), transcript as (
      select ${SAID} as said from messages m where m.account_id = $1 and m.conversation_id = $4::text
    ), captured as (
      insert into leads as l (account_id, id, dealer, conversation_id, visitor_id, name, email, phone, message, vin, suspicious,
        doubts, consent, intent, details, marketing, truck, transcript)
      select home.account_id, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text,
        $11::boolean, $12::json, $13::json, $14::text, $15::json, $16::json, (select facts from truck), said
      from ${HOME}, transcript returning l.id
    ), marked as (
      update conversations set lead_id = $2::text where account_id = $1 and id = $4::text
    ), outbox as (
      insert into lead_deliveries as d (account_id, lead_id, kind, dealer, suspicious)
      select d.account_id, $2::text, way.kind, d.slug, $11::boolean from ${WAYS}
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
export const ADD_UPDATE: Statement = {
  text: `
    with stored as (
      select created_at, name, email, phone, message, vin, consent, intent, details, marketing from leads
      where account_id = $1 and id = $2::text and visitor_id = $5::text
      union all
      select created_at, name, email, phone, message, vin, consent, intent, details, marketing from lead_updates
      where account_id = $1 and lead_id = $2::text
    ), latest as (
      select count(*)::int as n, max(created_at) as at from stored
      having not bool_or(message = $9::text
        and ($6::text is null or name is not distinct from $6::text)
        and ($7::text is null or email is not distinct from $7::text)
        and ($8::text is null or phone is not distinct from $8::text)
        and ($10::text is null or vin is not distinct from $10::text)
        and ($13::json is null or consent is not null)
        and ($14::text is null or (intent is not distinct from $14::text and details::text is not distinct from $15::text))
        and ($16::json is null or marketing is not null))
    ), truck as (${TRUCK_FACTS}
    ), reopened as (
      update leads set status = 'new', updated_at = now() from latest where account_id = $1 and id = $2::text
    ), added as (
      insert into lead_updates as u (account_id, lead_id, n, name, email, phone, message, vin, suspicious, doubts, consent,
        intent, details, marketing, truck, transcript)
      select home.account_id, $2::text, latest.n, $6::text, $7::text, $8::text, $9::text, $10::text, $11::boolean, $12::json,
        $13::json, $14::text, $15::json, $16::json, (select facts from truck), (select ${SAID} from messages m
          where m.account_id = $1 and m.conversation_id = $4::text and m.at > latest.at)
      from ${HOME}, latest
      returning u.n
    ), outbox as (
      insert into lead_deliveries as d (account_id, lead_id, update_n, kind, dealer, suspicious)
      select d.account_id, $2::text, added.n, way.kind, d.slug, $11::boolean from added, ${WAYS}
      where d.account_id = $1 and d.slug = $3::text and way.target is not null
      returning d.lead_id, d.update_n, d.kind, d.suspicious
    ), queued as (${enqueueDeliveries('outbox d')}
    )
    select n from added`,
};

/** Ends a conversation whose lead has its fill of updates. */
export const CLOSE_FULL: Statement = {
  text: `
    update conversations set closed_at = coalesce(closed_at, moment.at) from ${START_MOMENT}
    where account_id = $1 and id = $2 and (
      select count(*) from lead_updates u where u.account_id = $1 and u.lead_id = $3
    ) >= ${MAX_UPDATES}
    returning id`,
};

/**
 * Ends a conversation whose lead is another person's: another name, and no address or phone in common with any enquiry of
 * it. Two persons may share a browser.
 */
export const CLOSE_OF_ANOTHER: Statement = {
  text: `
    with stored as (
      select name, email, phone, created_at from leads where account_id = $1 and id = $3
      union all
      select name, email, phone, created_at from lead_updates where account_id = $1 and lead_id = $3
    ), compared as (
      select bool_or(lower(name) = lower($4::text)) as same_name,
        coalesce(bool_or(lower(email) = lower($5::text) or phone = $6::text), false) as same_contact,
        max(created_at)::text as at
      from stored
    )
    update conversations set closed_at = coalesce(closed_at, moment.at) from compared, ${START_MOMENT}
    where account_id = $1 and id = $2 and same_name = false and not same_contact
    returning compared.at`,
};

/** Hands what was said since the lead's last enquiry over to the conversation of the next person. */
export const MOVE_MESSAGES: Statement = {
  text: `
    with moved as (
      update messages set conversation_id = $3
      where account_id = $1 and conversation_id = $2 and at > $4::timestamptz
      returning n
    )
    update conversations set messages = greatest(messages, (select max(n) from moved))
    where account_id = $1 and id = $3 and exists (select 1 from moved)`,
};
