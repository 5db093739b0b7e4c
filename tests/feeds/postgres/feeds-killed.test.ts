import { afterAll, expect, test } from 'vitest';
import type { FeedRun } from '../../../lib/feeds/feed.ts';
import { type Finished, killSomewhere, startWorker } from '../../support/postgres/kill-workers.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type BareLot, newBareLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { FEED_SECRET_KEY } from '../../support/service/service.ts';

/**
 * A worker is killed again and again, anywhere: what is left in the end is what an uninterrupted run leaves, row for row
 * and counter for counter. KILLS says how often (`npm run prove`).
 */

const KILLS = Number(process.env.KILLS ?? 4);
const { sql, url } = await suiteDatabase();
const folder = await suiteFolder();
const server = await startFeedServer();
afterAll(async () => {
  await server.close();
});

/** Two snapshots: rejects, trucks that stand in two chunks, and then some gone, repriced, new. */
function snapshots() {
  const trucks = cleanTrucks(1_700);
  const odd = (truck: Truck, index: number) =>
    index % 97 === 0 ? { ...truck, price: 3 } : { ...truck, source: `https://lot.example/${index}` };
  const first = [...trucks.map(odd), ...trucks.slice(5, 60).map((truck) => ({ ...truck, price: 47_000 }))];
  const later = trucks.filter((_, index) => index % 11 !== 3);
  const second = later.map((truck, index) => (index % 7 === 2 ? { ...truck, price: 50_500 } : truck));
  return [toCsv(first), toCsv([...second, ...Array.from({ length: 40 }, () => cleanTruck())])];
}

const work = (kill: Record<string, string> = {}) =>
  startWorker({
    WORK: 'feeds',
    POSTGRES_URL: url,
    OUTBOUND_ALLOW: server.host,
    DATA_DIR: folder,
    // What the dead leave there goes with the folder.
    FEED_SECRET_KEY,
    TMPDIR: folder,
    ...kill,
  });

/** What a run writes of an account's rows. */
const WRITTEN = {
  listings: `json_build_array(encode(dedup_hash, 'hex'), vin, source_provider_id, status, version, encode(input_hash, 'hex'), doc,
    images, price, dealer, quality, sold_at is null, delisted_at is null)`,
  listing_search: `to_jsonb(t) - 'account_id' - 'updated_at' - 'changed_xid'`,
  listing_words: 'json_build_array(words_source)',
  listing_events: `json_build_array(encode(dedup_hash, 'hex'), version, kind, old_price, new_price)`,
  feed_members: `json_build_array(encode(dedup_hash, 'hex'), part, misses)`,
  feed_parts: 'json_build_array(part, digest, rows)',
  feed_rejects: 'json_build_array(chunk, n, rejects)',
  feed_runs: `to_jsonb(t) - '{account_id, id, feed_id, no, fence, claims, phases, observed_at, due_at, created_at, started_at, finished_at}'::text[]`,
};

/** All of it, but for times, ids and how often the run was begun. */
async function left({ account }: BareLot) {
  const tables: Record<string, unknown> = {};
  for (const [table, row] of Object.entries(WRITTEN)) {
    const text = `select (${row})::text as row from ${table} t where account_id = $1 order by 1`;
    tables[table] = await sql.query({ text }, [account]);
  }
  return tables;
}

test(
  `a worker killed ${KILLS} times leaves what an uninterrupted one leaves`,
  async () => {
    const files = snapshots();
    const undisturbed = await newBareLot(sql, server);
    const expected: Record<string, unknown>[] = [];
    const took: Finished[] = [];
    const runs: FeedRun[] = [];
    for (const text of files) {
      undisturbed.serve(text);
      const id = await undisturbed.start();
      const result = await work();
      if (result?.outcome !== 'succeeded')
        throw new Error(`the uninterrupted run ended as ${result?.outcome}`);
      took.push(result);
      expected.push(await left(undisturbed));
      runs.push(await undisturbed.run(id));
    }
    // 16 that were rejected at first are new with the second file, two of the rejected are gone from it.
    expect(runs[1]).toMatchObject({ delisted: 153, created: 56 });

    for (let kills = 0; kills < KILLS; ) {
      const bareFeed = await newBareLot(sql, server);
      for (const [index, text] of files.entries()) {
        bareFeed.serve(text);
        const id = await bareFeed.start();
        // Whatever the dealer puts there meanwhile: the snapshot is the one that was fetched first.
        for (let isDone = false; !isDone; ) {
          const result = await work(kills < KILLS ? killSomewhere(took[index], kills) : {});
          if (result === null) kills += 1;
          const { status, bytes } = await bareFeed.run(id);
          isDone = status !== 'queued' && status !== 'running';
          // Nothing to claim: the server may still be at what the dead worker sent last.
          if (result !== null && !isDone) expect(result.outcome).toBe('none');
          if (bytes !== null) bareFeed.serve('another file by now');
          // The lease runs out.
          await sql.query({ text: 'update feed_runs set claims = 0 where account_id = $1' }, [
            bareFeed.account,
          ]);
          await sql.query({ text: 'update jobs set leased_until = null where account_id = $1' }, [
            bareFeed.account,
          ]);
        }
        expect(await left(bareFeed)).toEqual(expected[index]);
      }
    }
  },
  60_000 + KILLS * 12_000,
);
