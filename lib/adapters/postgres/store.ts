import type { Clock, Store, StorePorts } from '../../ports.ts';
import { lazily } from '../lazily.ts';
import { postgresAccounts } from './accounts.ts';
import { postgresDealers } from './dealers.ts';
import { postgresIdempotency } from './idempotency.ts';
import { postgresLeases } from './leases.ts';
import { postgresListings } from './listings.ts';
import type { Sql } from './sql.ts';

/** Every store port over one database. */
export function postgresStore(sql: Sql, clock: Clock): StorePorts & { store: Store } {
  const accounts = postgresAccounts(sql, clock.now);
  const bind = (on: Sql): StorePorts => ({
    accounts,
    listings: postgresListings(on),
    dealers: postgresDealers(on),
    idempotency: postgresIdempotency(on),
    leases: postgresLeases(on),
    market: lazily(async () => (await import('./market.ts')).postgresMarket(on)),
    search: lazily(async () => (await import('./search.ts')).postgresSearch(on)),
    facets: lazily(async () => (await import('./facets.ts')).postgresFacets(on)),
    feeds: lazily(async () => (await import('./feeds.ts')).postgresFeeds(on)),
    feedRuns: lazily(async () => (await import('./feed-runs.ts')).postgresFeedRuns(on)),
    images: lazily(async () => (await import('./images.ts')).postgresImages(on)),
    conversations: lazily(async () => (await import('./conversations.ts')).postgresConversations(on)),
    leads: lazily(async () => (await import('./leads.ts')).postgresLeads(on)),
    imageUpkeep: lazily(async () => (await import('./image-upkeep.ts')).postgresImageUpkeep(on)),
  });
  return {
    ...bind(sql),
    store: {
      async ping() {
        const started = clock.now();
        await sql.query({ text: 'select 1' });
        return clock.now() - started;
      },
      migrations: async () => (await import('./migrate.ts')).migrationState(sql),
      sweepGeocodes: async () => (await import('./geocodes.ts')).sweepGeocodes(sql),
      transaction: (work) => sql.transaction((bound) => work(bind(bound))),
      close: () => sql.close(),
    },
  };
}
