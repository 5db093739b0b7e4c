import type { AccountDealers, Dealer, Dealers } from '../../ports.ts';
import type { Sql, Statement } from './sql.ts';

/** Dealers of an account; slugs are unique across accounts. */
export function postgresDealers(sql: Sql): Dealers {
  return { of: (accountId) => accountDealers(sql, accountId) };
}

function accountDealers(sql: Sql, accountId: string): AccountDealers {
  const quiet = async () => (await import('./quiet.ts')).quietDealers(sql, accountId);
  return {
    async save(slug, name, rest) {
      const given = JSON.stringify({ ...rest, name });
      const [row] = await sql.query<{ created: boolean; dealer: Dealer }>(SAVE, [accountId, slug, given]);
      return row ? { dealer: isoTimes(row.dealer), created: row.created } : 'taken';
    },
    change: async (slug, change) => (await quiet()).change(slug, change),
    list: async (page) => (await quiet()).list(page),
  };
}

function isoTimes(dealer: Dealer): Dealer {
  const iso = (stamp: string) => new Date(stamp).toISOString();
  return { ...dealer, created_at: iso(dealer.created_at), updated_at: iso(dealer.updated_at) };
}

const MOVED = ['city', 'state', 'zip']
  .map((name) => `((select g ? '${name}' from given) and excluded.${name} is distinct from d.${name})`)
  .join(' or ');

/**
 * Takes the slug (or meets it as one's own) and saves the dealer, in one statement; no row: somebody else's slug.
 * Members absent from $3 leave what is stored.
 */
const SAVE: Statement = {
  role: 'ingest',
  text: `
    with given as (
      select $3::jsonb as g
    ), slug as (
      insert into dealer_slugs as s (slug, account_id) values ($2, $1)
      on conflict (slug) do update set slug = s.slug where s.account_id = excluded.account_id
      returning slug
    ), saved as (
      insert into dealers as d (account_id, slug, name, phone, email, website, address, city, state, zip)
      select $1, slug, g->>'name', g->>'phone', g->>'email', g->>'website', g->>'address', g->>'city', g->>'state',
        g->>'zip'
      from slug, given
      on conflict (account_id, slug) do update set
        name = excluded.name,
        phone = case when (select g ? 'phone' from given) then excluded.phone else d.phone end,
        email = case when (select g ? 'email' from given) then excluded.email else d.email end,
        website = case when (select g ? 'website' from given) then excluded.website else d.website end,
        address = case when (select g ? 'address' from given) then excluded.address else d.address end,
        city = case when (select g ? 'city' from given) then excluded.city else d.city end,
        state = case when (select g ? 'state' from given) then excluded.state else d.state end,
        zip = case when (select g ? 'zip' from given) then excluded.zip else d.zip end,
        updated_at = now(), moved_at = case when ${MOVED} then now() else d.moved_at end
      returning d.*, xmax = 0 as created
    )
    select created, json_build_object('slug', slug, 'name', name, 'phone', phone, 'email', email, 'website', website,
      'address', address, 'city', city, 'state', state, 'zip', zip, 'created_at', created_at,
      'updated_at', updated_at) as dealer
    from saved`,
};
