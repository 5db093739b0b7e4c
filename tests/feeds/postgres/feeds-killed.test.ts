import { afterAll, expect, test } from 'vitest';
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
function snapshots(): [string, string] {
  const trucks = cleanTrucks(1_700);
  const odd = (truck: Truck, index: number): Record<string, unknown> =>
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

/** Everything that a run writes, but for times, ids and how often it was begun. */
async function left(lot: BareLot, id: string): Promise<Record<string, unknown>> {
  const { account } = lot;
  const run = await lot.run(id);
  const rows = async (text: string) =>
    (await sql.query<{ all: string }>({ text }, [account])).map(({ all }) => all);
  const {
    id: _,
    feed_id: __,
    phases: ___,
    created_at: ____,
    started_at: _____,
    finished_at: ______,
    ...told
  } = run;
  return {
    run: told,
    listings:
      await rows(`select json_build_array(encode(dedup_hash, 'hex'), vin, source_provider_id, status, version,
      encode(input_hash, 'hex'), doc, images, price, dealer, quality, sold_at is null, delisted_at is null)::text as all
      from listings where account_id = $1 order by dedup_hash`),
    searched:
      await rows(`select (to_jsonb(s) - 'account_id' - 'updated_at' - 'changed_xid')::text as all from listing_search s
      where account_id = $1 order by dedup_hash`),
    worded: await rows(
      `select words_source as all from listing_words where account_id = $1 order by dedup_hash`,
    ),
    events:
      await rows(`select json_build_array(encode(dedup_hash, 'hex'), version, kind, old_price, new_price)::text as all
      from listing_events where account_id = $1 order by dedup_hash, version, kind`),
    members:
      await rows(`select json_build_array(encode(dedup_hash, 'hex'), part, misses)::text as all from feed_members
      where account_id = $1 order by dedup_hash`),
    parts: await rows(`select json_build_array(part, digest, rows)::text as all from feed_parts
      where account_id = $1 order by part`),
  };
}

test(
  `a worker killed ${KILLS} times leaves what an uninterrupted one leaves`,
  async () => {
    const files = snapshots();
    const whole = await newBareLot(sql, server);
    const expected: Record<string, unknown>[] = [];
    const took: Finished[] = [];
    for (const text of files) {
      whole.serve(text);
      const id = await whole.start();
      const done = await work();
      if (done?.outcome !== 'succeeded') throw new Error(`the uninterrupted run ended as ${done?.outcome}`);
      took.push(done);
      expected.push(await left(whole, id));
    }
    // 16 that were rejected at first are new with the second file, two of the rejected are gone from it.
    expect(expected[1]).toMatchObject({ run: { delisted: 153, created: 56 } });

    for (let kills = 0; kills < KILLS; ) {
      const lot = await newBareLot(sql, server);
      for (const [index, text] of files.entries()) {
        lot.serve(text);
        const id = await lot.start();
        // Whatever the dealer puts there meanwhile: the snapshot is the one that was fetched first.
        for (let ended = false; !ended; ) {
          const done = await work(kills < KILLS ? killSomewhere(took[index], kills) : {});
          if (done === null) kills += 1;
          const { status, bytes } = await lot.run(id);
          ended = status !== 'queued' && status !== 'running';
          // Nothing to claim: the server may still be at what the dead worker sent last.
          if (done !== null && !ended) expect(done.outcome).toBe('none');
          if (bytes !== null) lot.serve('another file by now');
          // The lease runs out.
          await sql.query({ text: 'update feed_runs set claims = 0 where account_id = $1' }, [lot.account]);
          await sql.query({ text: 'update jobs set leased_until = null where account_id = $1' }, [
            lot.account,
          ]);
        }
        expect(await left(lot, id)).toEqual(expected[index]);
      }
    }
  },
  60_000 + KILLS * 12_000,
);
