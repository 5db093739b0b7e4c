import { enqueueMove } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { AccountDealers, Dealer, Dealers, SavedDealer } from './port.ts';

/** Dealers of an account, by their slugs. */
export const postgresDealers = (sql: Sql): Dealers => ({ of: (accountId) => accountDealers(sql, accountId) });

function accountDealers(sql: Sql, accountId: string): AccountDealers {
  const list = async (statement: Statement, ...values: unknown[]) => {
    const rows = await sql.query<{ dealer: Dealer }>(statement, [accountId, ...values]);
    return rows.map(({ dealer }) => dealer);
  };
  return {
    async save(slug, change, { value, replaces }, maxDealers) {
      const values = [accountId, slug, JSON.stringify(change), value, replaces, maxDealers];
      const [saved] = await sql.query<SavedDealer>(SAVE, values);
      return saved ?? null;
    },
    get: async (slug) => (await list(GET, slug))[0] ?? null,
    list: ({ limit, after }) => list(LIST, after, limit),
    async webhookSecrets(slug) {
      const [row] = await sql.query<Record<'secret' | 'old', string | null>>(SECRETS, [accountId, slug]);
      return [row?.secret, row?.old].filter((secret) => secret != null);
    },
    async saveWebhookCheck(slug, url, check) {
      await sql.query(SAVE_CHECK, [accountId, slug, url, JSON.stringify(check)]);
    },
    async remove(slug) {
      const [row] = await sql.transaction(async (bound) => {
        // Whoever names it meanwhile has committed, or waits and finds it gone.
        await bound.query(LOCK, [accountId, slug]);
        return bound.query<{ found: boolean; used: boolean }>(REMOVE, [accountId, slug]);
      }, 'ingest');
      if (!row?.found) return 'absent';
      return row.used ? 'used' : 'removed';
    },
  };
}

const MOVED = ['city', 'state', 'zip']
  .map((name) => `($3::jsonb ? '${name}' and excluded.${name} is distinct from d.${name})`)
  .join(' or ');
/** Columns that callers set, beside slug and name: each is changed when it is sent. */
const COLUMNS = {
  phone: 'text',
  email: 'text',
  website: 'text',
  address: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  sms: 'text',
  hours: 'jsonb',
  time_zone: 'text',
  reply_minutes: 'integer',
  lead_email: 'text',
  lead_email_format: 'text',
  lead_webhook_url: 'text',
} as const;
const NAMES = Object.keys(COLUMNS);
const GIVEN = Object.entries(COLUMNS).map(([name, type]) =>
  type === 'jsonb' ? `nullif($3::jsonb->'${name}', 'null')` : `($3::jsonb->>'${name}')::${type}`,
);
const CHANGES = NAMES.map(
  (name) => `${name} = case when $3::jsonb ? '${name}' then excluded.${name} else d.${name} end`,
);
const DEALER = `json_build_object(${['slug', 'name', ...NAMES, 'lead_webhook_check'].map((name) => `'${name}', ${name}`)},
      'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')}) as dealer`;

const GET: Statement = { text: `select ${DEALER} from dealers where account_id = $1 and slug = $2` };

const LIST: Statement = {
  text: `
    select ${DEALER} from dealers where account_id = $1 and ($2::text is null or slug > $2)
    order by slug limit $3::int`,
};

const SECRETS: Statement = {
  text: `
    select lead_webhook_secret as secret,
      case when lead_webhook_old_secret_until > now() then lead_webhook_old_secret end as old
    from dealers where account_id = $1 and slug = $2`,
};

const SAVE_CHECK: Statement = {
  text: `
    update dealers set lead_webhook_check = $4::jsonb
    where account_id = $1 and slug = $2 and lead_webhook_url = $3`,
};

/**
 * Creates the dealer while there are fewer than $6, or changes it. Trucks follow one that moved. Members absent from $3 leave what is stored. A dealer has a webhook secret just while it
 * has a webhook. A row of this moment is new: both of its times are the statement's. (`xmax` tells it too, but not of a
 * partition; and a cluster takes times as values only.)
 */
const SAVE: Statement = {
  role: 'ingest',
  text: `
    with known as materialized (
      select name from dealers where account_id = $1 and slug = $2 for update
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
        lead_webhook_check = case when ($3::jsonb ? 'lead_webhook_url')
          and excluded.lead_webhook_url is distinct from d.lead_webhook_url then null else d.lead_webhook_check end,
        updated_at = excluded.updated_at,
        moved_at = case when ${MOVED} then excluded.updated_at else d.moved_at end
      returning d.*, created_at = updated_at as created
    ), queued as (${enqueueMove('saved where moved_at = updated_at')}
    )
    select created, coalesce(lead_webhook_secret = $4::text, false) as "secretTaken", ${DEALER},
      created and exists (select 1 from listing_search s where s.account_id = $1 and s.dealer is null) as "hasUnassigned"
    from saved`,
};

const LOCK: Statement = { text: 'select 1 from dealers where account_id = $1 and slug = $2 for update' };

/** Listings are assigned by writers that have read their dealer: those under way still find none. */
const REMOVE: Statement = {
  text: `
    with dealer as materialized (
      select slug, exists (select 1 from listing_search s where s.account_id = $1 and s.dealer = $2)
        or exists (select 1 from feeds f where f.account_id = $1 and f.dealer = $2 and f.id <> 'upload') as used
      from dealers where account_id = $1 and slug = $2 for update
    ), removed as (
      delete from dealers d using dealer where d.account_id = $1 and d.slug = dealer.slug and not dealer.used
    )
    select true as found, used from dealer`,
};
