import { enqueueMove } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { DEALER, NAMES } from './find-dealer.ts';
import type { Dealer, DealerBody } from './schemas.ts';

/** Dealers of an account, by their slugs. */

/**
 * Creates the dealer, which `change` names, or changes what `change` has. A webhook URL that is cleared takes its secret
 * along; the sealed `secret` is stored when there is a URL and the dealer has none yet, or `rotates`. Nothing: the slug is
 * new, and there are `maxDealers` already.
 */
export const writeDealer = (
  db: Sql,
  accountId: string,
  slug: string,
  change: Partial<DealerBody>,
  { secret, rotates, maxDealers }: { secret: string; rotates: boolean; maxDealers: number },
) => db.query<WrittenDealer>(SAVE, [accountId, slug, JSON.stringify(change), secret, rotates, maxDealers]);

/** False while a listing or a feed names it. */
export const deleteDealer = async (db: Sql, accountId: string, slug: string): Promise<boolean> =>
  (await db.query(DELETE, [accountId, slug])).length > 0;

export interface WrittenDealer extends Dealer {
  created: boolean;
  /** The secret of this call is the one that was stored. */
  hasNewSecret: boolean;
  /** Its leads go another way than before. */
  movesLeads: boolean;
  /** It was created after trucks that have no dealer. */
  hasUnassigned: boolean;
}

const TYPES: Readonly<Record<string, string>> = { hours: 'jsonb', reply_minutes: 'integer' };
const GIVEN = NAMES.map((name) => `($3::jsonb->>'${name}')::${TYPES[name] ?? 'text'}`);
const CHANGES = NAMES.map(
  (name) => `${name} = case when $3::jsonb ? '${name}' then excluded.${name} else d.${name} end`,
);
const MOVED = ['city', 'state', 'zip']
  .map((name) => `($3::jsonb ? '${name}' and excluded.${name} is distinct from d.${name})`)
  .join(' or ');

/**
 * Creates the dealer while there are fewer than $6, or changes it. Trucks follow one that moved. Members absent from $3
 * leave what is stored. A dealer has a webhook secret just while it has a webhook. A row of this
 * moment is new: both of its times are the statement's. (`xmax` tells it too, but not of a partition; and a cluster takes
 * times as values only.)
 */
const SAVE: Statement = {
  timeout: 'ingest',
  text: `
    with known as materialized (
      select name, lead_email, lead_webhook_url from dealers where account_id = $1 and slug = $2 for update
    ), saved as (
      insert into dealers as d (account_id, slug, name, ${NAMES.join(', ')}, lead_webhook_secret)
      select $1, $2, coalesce($3::jsonb->>'name', (select name from known)), ${GIVEN.join(', ')},
        case when $3::jsonb->>'lead_webhook_url' is not null then $4::text end
      where exists (select 1 from known)
        or (select count(*) from dealers where account_id = $1) < $6::int
      on conflict (account_id, slug) do update set
        name = excluded.name,
        ${CHANGES.join(',\n        ')},
        lead_webhook_secret = case
          when $3::jsonb ? 'lead_webhook_url' and excluded.lead_webhook_url is null then null
          when coalesce(excluded.lead_webhook_url, d.lead_webhook_url) is null then null
          when $5::boolean then $4::text else coalesce(d.lead_webhook_secret, $4::text) end,
        lead_webhook_old_secret = case
          when ($3::jsonb ? 'lead_webhook_url') and excluded.lead_webhook_url is null then null
          when $5::boolean then d.lead_webhook_secret else d.lead_webhook_old_secret end,
        lead_webhook_old_secret_until = case when $5::boolean
          then (excluded.updated_at at time zone 'utc' + interval '24 hours') at time zone 'utc'
          else d.lead_webhook_old_secret_until end,
        lead_webhook_check = case when not $3::jsonb ? 'lead_webhook_url' then d.lead_webhook_check end,
        updated_at = excluded.updated_at,
        moved_at = case when ${MOVED} then excluded.updated_at else d.moved_at end
      returning d.*, created_at = updated_at as created
    ), queued as (${enqueueMove('saved where moved_at = updated_at')}
    )
    select created, coalesce(lead_webhook_secret = $4::text, false) as "hasNewSecret", ${DEALER},
      lead_email is distinct from (select lead_email from known)
        or lead_webhook_url is distinct from (select lead_webhook_url from known) as "movesLeads",
      created and exists (select 1 from listing_search s where s.account_id = $1 and s.dealer is null) as "hasUnassigned"
    from saved`,
};

/** Listings are assigned by writers that have read their dealer: those under way still find none. */
const DELETE: Statement = {
  text: `
    delete from dealers where account_id = $1 and slug = $2
      and not exists (select 1 from listing_search s where s.account_id = $1 and s.dealer = $2)
      and not exists (select 1 from feeds f where f.account_id = $1 and f.dealer = $2 and f.id <> 'upload')
    returning slug`,
};
