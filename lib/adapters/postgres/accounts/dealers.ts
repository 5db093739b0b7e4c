import type { AccountDealers, Dealer, Dealers } from '../../../ports/accounts/dealers.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { enqueueMove } from '../jobs/enqueue.ts';

/** Dealers of an account, by their slugs. */
export function postgresDealers(sql: Sql): Dealers {
  return {
    of: (accountId) => accountDealers(sql, accountId),
    plainSecrets: (limit) => sql.query(PLAIN_SECRETS, [limit]),
  };
}

function accountDealers(sql: Sql, accountId: string): AccountDealers {
  const admin = async () => (await import('./admin.ts')).adminDealers(sql, accountId);
  return {
    async save(slug, name, rest, secret, maxDealers) {
      const given = JSON.stringify({ ...rest, name });
      const values = [accountId, slug, given, secret.value, secret.replaces, maxDealers];
      const [row] = await sql.query<SavedRow>(SAVE, values);
      if (!row) return 'too_many';
      const { created, secret_taken: secretTaken, has_unassigned: hasUnassigned } = row;
      return { dealer: isoTimes(row.dealer), created, secretTaken, hasUnassigned };
    },
    change: async (slug, change, secret) => (await admin()).change(slug, change, secret),
    async get(slug) {
      const [row] = await sql.query<{ dealer: Dealer }>(GET, [accountId, slug]);
      return row ? isoTimes(row.dealer) : null;
    },
    async webhookSecrets(slug) {
      const [row] = await sql.query<Record<'secret' | 'old', string | null>>(SECRETS, [accountId, slug]);
      return [row?.secret, row?.old].filter((secret) => secret != null);
    },
    async saveWebhookCheck(slug, url, check) {
      await sql.query(SAVE_CHECK, [accountId, slug, url, JSON.stringify(check)]);
    },
    async replaceSecret(slug, before, after) {
      await sql.query(REPLACE_SECRET, [accountId, slug, before, after]);
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
    list: async (page) => (await admin()).list(page),
  };
}

interface SavedRow {
  created: boolean;
  dealer: Dealer;
  secret_taken: boolean;
  has_unassigned: boolean;
}

function isoTimes(dealer: Dealer): Dealer {
  const iso = (stamp: string) => new Date(stamp).toISOString();
  return { ...dealer, created_at: iso(dealer.created_at), updated_at: iso(dealer.updated_at) };
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
const DEALER = `json_build_object(${[
  'slug',
  'name',
  ...NAMES,
  'lead_webhook_check',
  'created_at',
  'updated_at',
]
  .map((name) => `'${name}', ${name}`)
  .join(', ')}) as dealer`;

const GET: Statement = { text: `select ${DEALER} from dealers where account_id = $1 and slug = $2` };

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

/** Across all accounts. */
const PLAIN_SECRETS: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", slug, lead_webhook_secret as secret from dealers
    where lead_webhook_secret like 'whsec\\_%' limit $1::int`,
};

const REPLACE_SECRET: Statement = {
  text: `
    update dealers set lead_webhook_secret = $4 where account_id = $1 and slug = $2 and lead_webhook_secret = $3`,
};

/**
 * Creates or changes the dealer. Trucks follow one that moved. Members absent from $3 leave what is stored. A dealer has a webhook secret just while it
 * has a webhook. A row of this moment is new: both of its times are the statement's. (`xmax` tells it too, but not of a
 * partition; and a distributed table takes times as values only.)
 */
const SAVE: Statement = {
  role: 'ingest',
  text: `
    with saved as (
      insert into dealers as d (account_id, slug, name, ${NAMES.join(', ')}, lead_webhook_secret)
      select $1, $2, $3::jsonb->>'name', ${GIVEN.join(', ')},
        case when $3::jsonb->>'lead_webhook_url' is not null then $4::text end
      where exists (select 1 from dealers where account_id = $1 and slug = $2)
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
    select created, coalesce(lead_webhook_secret = $4::text, false) as secret_taken, ${DEALER},
      created and exists (select 1 from listing_search s where s.account_id = $1 and s.dealer is null) as has_unassigned
    from saved`,
};

const LOCK: Statement = { text: 'select 1 from dealers where account_id = $1 and slug = $2 for update' };

/** Listings are assigned by writers that have read their dealer: those under way still find none. */
const REMOVE: Statement = {
  text: `
    with dealer as materialized (
      select slug, exists (select 1 from listing_search s where s.account_id = $1 and s.dealer = $2)
        or exists (select 1 from feeds f where f.account_id = $1 and f.dealer = $2) as used
      from dealers where account_id = $1 and slug = $2 for update
    ), removed as (
      delete from dealers d using dealer where d.account_id = $1 and d.slug = dealer.slug and not dealer.used
    )
    select true as found, used from dealer`,
};
