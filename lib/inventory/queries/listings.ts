import type { Sql, Statement } from '../../db/sql.ts';
import type { AccountListings, Listings, OnConflict } from '../port.ts';
import { readByVin, readByVinInMarket } from './by-vin.ts';

/**
 * Listings in PostgreSQL. What only writers need is loaded with the first of them. Rows travel as one JSON text parameter, whatever their number: a batch is one read and
 * one write, and far from the limit of 65,535 parameters. Every row set is put in hash order, which is the order
 * in which all writers take row locks.
 */
export function postgresListings(
  sql: Sql,
  onConflict: OnConflict = sql.transactional ? 'lock' : 'relock',
): Listings {
  return {
    of: (accountId) => accountListings(sql, accountId, onConflict),
    optimistic: () => postgresListings(sql, 'throw'),
  };
}

function accountListings(sql: Sql, accountId: string, onConflict: OnConflict): AccountListings {
  return {
    onConflict,

    async read(wanted, source) {
      const { readBatch } = await import('./batch/read-batch.ts');
      return readBatch(sql, accountId, wanted, source);
    },

    async write(changes, by) {
      const { writeBatch } = await import('./batch/write-batch.ts');
      return writeBatch(sql, accountId, changes, onConflict, by);
    },

    async lockListings(dedupHashes, work, lockTimeoutMs) {
      const { lockBatch } = await import('./batch/lock-batch.ts');
      const onLocked = (bound: Sql) => work(postgresListings(bound, 'lock').of(accountId));
      return lockBatch(sql, accountId, dedupHashes, onLocked, lockTimeoutMs);
    },

    async findUnlocked(dedupHashes) {
      const { findUnlocked } = await import('./batch/lock-batch.ts');
      return findUnlocked(sql, accountId, dedupHashes);
    },

    byVin: (vin) => readByVin(sql, accountId, vin),

    byVinInMarket: (vin) => readByVinInMarket(sql, accountId, vin),

    async withHistory(vin, max) {
      const { readWithHistory } = await import('./history.ts');
      return readWithHistory(sql, accountId, vin, max);
    },

    erase: async (erasure) => (await import('./erase-listings.ts')).eraseListings(sql, accountId, erasure),

    async setStatuses(changes, dealer = null) {
      const { setStatuses } = await import('./status-change.ts');
      return setStatuses(sql, accountId, changes, dealer);
    },

    listProviders: (vins, dealer) => sql.query(PROVIDERS_OF, [accountId, vins, dealer]),
  };
}

const MAX_PROVIDERS = 5;

const PROVIDERS_OF: Statement = {
  text: `
    select vin, provider from (
      select l.vin, l.source_provider_id as provider,
        row_number() over (partition by l.vin order by l.source_provider_id) as place
      from listings l
      where l.account_id = $1 and l.vin = any($2::text[]) and l.version > 0 and ($3::text is null or l.dealer = $3)
    ) listed where place <= ${MAX_PROVIDERS} order by vin, provider`,
};
