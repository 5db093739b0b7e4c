import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { countPart, readKnownParts, skipPart } from '../../../lib/feeds/queries/count-part.ts';
import { endRun } from '../../../lib/feeds/queries/end-run.ts';
import { listChanges } from '../../../lib/feeds/queries/feed-changes.ts';
import { saveFetched } from '../../../lib/feeds/queries/feed-runs.ts';
import { deleteFeed, insertFeed, updateFeed } from '../../../lib/feeds/queries/feeds.ts';
import {
  compareMembers,
  completeFile,
  delistSlice,
  markMissing,
} from '../../../lib/feeds/queries/reconcile.ts';
import { listRuns, readRun } from '../../../lib/feeds/queries/runs.ts';
import { queueRun, releaseHeld } from '../../../lib/feeds/queries/start-run.ts';
import type { ClaimedRun } from '../../../lib/feeds/run/claimed-run.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';

/** Which trucks a feed has and which are delisted, whatever its runs and those of other feeds do, against plain sets. */

const { sql } = await suiteDatabase();
const TRUCKS = 8;
const FEEDS = ['feed_north', 'feed_south', 'feed_west'];
/** `misses_before_delist` of each. */
const ALLOWED = [1, 2, 1];
let unique = 0;

const hashes = Array.from({ length: TRUCKS }, (_, truck) => hash('sha256', `truck ${truck}`));
const findTruck = (dedupHash: string) => hashes.indexOf(dedupHash);

type Step =
  | { kind: 'run'; feed: number; parts: number[][]; end: 'applied' | 'held' | 'failed' }
  | { kind: 'again' | 'release' | 'pause' | 'remove'; feed: number }
  | { kind: 'delist'; truck: number };

const feed = fc.nat(FEEDS.length - 1);
const part = fc.uniqueArray(fc.nat(TRUCKS - 1), { maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      feed,
      parts: fc.array(part, { maxLength: 4 }),
      end: fc.constantFrom<'applied' | 'held' | 'failed'>('applied', 'applied', 'held', 'failed'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('again' as const, 'release' as const), feed }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), feed }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delist' as const), truck: fc.nat(TRUCKS - 1) }) },
);

/** What the docs promise, of a few trucks. */
class Naive {
  readonly listed = new Map<number, 'available' | 'delisted'>();
  readonly feeds = ALLOWED.map((allowed) => ({
    allowed,
    enabled: true,
    file: [] as number[][],
    held: false,
    members: new Map<number, number>(),
  }));

  at = (index: number) => this.feeds[index] as (typeof this.feeds)[number];

  read(index: number, parts: number[][]) {
    for (const truck of parts.flat()) {
      this.listed.set(truck, 'available');
      this.at(index).members.set(truck, 0);
    }
  }

  isElsewhere = (index: number, truck: number) =>
    this.feeds.some(
      ({ enabled, allowed, members }, other) =>
        other !== index && enabled && (members.get(truck) ?? allowed) < allowed,
    );

  listGone(index: number) {
    const { allowed } = this.at(index);
    return this.missing(index)
      .filter(
        ([truck, misses]) =>
          this.listed.get(truck) === 'available' && misses + 1 >= allowed && !this.isElsewhere(index, truck),
      )
      .map(([truck]) => truck);
  }

  missing = (index: number) => {
    const { file, members } = this.at(index);
    return [...members].filter(([truck]) => !file.flat().includes(truck));
  };

  apply(index: number) {
    const { allowed, members } = this.at(index);
    const absentTrucks = this.listGone(index);
    for (const [truck, misses] of this.missing(index)) {
      if (this.listed.get(truck) === 'available' && misses + 1 < allowed) members.set(truck, misses + 1);
      else members.delete(truck);
    }
    for (const truck of absentTrucks) this.listed.set(truck, 'delisted');
  }
}

async function openAccount() {
  unique += 1;
  const account = `acc_members_${unique}`;
  const query = <Row>(text: string, ...params: unknown[]) => sql.query<Row>({ text }, [account, ...params]);
  await query(`insert into accounts (id, name, tier) values ($1, 'Members', 'pro')`);
  for (const [index, id] of FEEDS.entries())
    await insertFeed(
      sql,
      account,
      id,
      {
        ...FEED_DEFAULTS,
        name: id,
        protocol: 'https',
        url: 'https://feeds.example/',
        cadence_minutes: 60,
        misses_before_delist: ALLOWED[index] ?? 1,
      },
      9,
    );
  return { account, query };
}

type Account = Awaited<ReturnType<typeof openAccount>>;

/** As the pipeline does: what a feed wrote last stands unless another record came since. */
async function list({ query }: Account, run: ClaimedRun, trucks: number[]) {
  const members = trucks.map((truck) => `\\x${hashes[truck]}`);
  await query(
    `insert into listings as l (account_id, dedup_hash, vin, source_provider_id, status, version, input_hash, doc, quality,
        observed_at, feed_id, first_seen_at, updated_at)
      select $1, hash, encode(hash, 'hex'), '', 'available', 1, hash, '{}', '{}', to_timestamp($3::float8 / 1000), $4, now(),
        now()
      from unnest($2::bytea[]) as hash
      on conflict (account_id, dedup_hash) do update set status = 'available', input_hash = excluded.input_hash,
        version = l.version + 1, observed_at = excluded.observed_at, feed_id = excluded.feed_id
      where l.input_hash is distinct from excluded.input_hash`,
    members,
    run.observedAt,
    run.feedId,
  );
  await query(
    `insert into listing_search (account_id, dedup_hash, vin, status, make, model_year, quality, has_images, updated_at)
      select $1, hash, '', 'available', 'Volvo', 2020, 50, false, now() from unnest($2::bytea[]) as hash
      on conflict (account_id, dedup_hash) do update set status = 'available'`,
    members,
  );
}

async function begin({ account }: Account, id: string) {
  unique += 1;
  await queueRun(sql, account, id, `run_${unique}`);
  return claim(account, id);
}

async function claim(account: string, id: string) {
  const run = await beginRun(sql, account, id, `run_other_${unique}`);
  if (!run) throw new Error('no run to claim');
  return run;
}

/** Reads a file as a worker does; returns how many parts were known. */
async function ingestParts(testAccount: Account, run: ClaimedRun, parts: number[][]) {
  run.observedAt = Math.ceil(run.now);
  await saveFetched(sql, run, {
    bytes: 1,
    sha256: `sha of ${unique}`,
    observedAt: run.observedAt,
    state: run.state,
  });
  const knownParts = await readKnownParts(sql, run);
  let skipped = 0;
  for (const [index, trucks] of parts.entries()) {
    const part = { no: index + 1, digest: JSON.stringify(trucks) };
    if (knownParts.get(part.no) === part.digest && (await skipPart(sql, run, part))) {
      skipped += 1;
      continue;
    }
    await list(testAccount, run, trucks);
    await countPart(sql, run, {
      part: part.no,
      digest: part.digest,
      hashes: trucks.map((truck) => hashes[truck] ?? ''),
      rows: trucks.length,
      created: 0,
      merged: 0,
      unchanged: 0,
      rejected: 0,
      rejects: [],
      codes: {},
      state: run.state,
    });
  }
  return skipped;
}

async function delist(run: ClaimedRun) {
  await markMissing(sql, run);
  while (await delistSlice(sql, run, 3));
  await endRun(sql, run, { status: 'succeeded' });
  return (await readRun(sql, run.accountId, run.feedId, run.runId))?.delisted ?? -1;
}

async function take(testAccount: Account, naive: Naive, step: Step) {
  const { account, query } = testAccount;
  if (step.kind === 'delist') {
    const dedupHash = `\\x${hashes[step.truck]}`;
    await query(
      `with gone as (
        update listings set status = 'delisted', input_hash = null, version = version + 1
        where account_id = $1 and dedup_hash = $2 returning dedup_hash)
      update listing_search set status = 'delisted' where account_id = $1 and dedup_hash in (select dedup_hash from gone)`,
      dedupHash,
    );
    if (naive.listed.has(step.truck)) naive.listed.set(step.truck, 'delisted');
    return;
  }
  const id = FEEDS[step.feed] ?? '';
  const plain = naive.at(step.feed);
  if (step.kind === 'pause') {
    plain.enabled = !plain.enabled;
    await updateFeed(sql, account, id, { enabled: plain.enabled });
  } else if (step.kind === 'remove') {
    await deleteFeed(sql, account, id);
    plain.members.clear();
  } else if (step.kind === 'release') {
    if (!plain.held) return;
    const [heldRun] = await listRuns(sql, account, id, { limit: 1, after: null });
    expect(await releaseHeld(sql, account, id, heldRun?.id ?? '')).toBe(true);
    const run = await claim(account, id);
    expect(await delist(run)).toBe(naive.listGone(step.feed).length);
    naive.apply(step.feed);
    plain.held = false;
  } else {
    const { parts, end } = step.kind === 'run' ? step : ({ parts: plain.file, end: 'applied' } as const);
    await pull(testAccount, naive, step.feed, parts, end);
  }
}

async function pull(
  testAccount: Account,
  naive: Naive,
  index: number,
  parts: number[][],
  end: 'applied' | 'held' | 'failed',
) {
  const plain = naive.at(index);
  const run = await begin(testAccount, FEEDS[index] ?? '');
  const readParts = end === 'failed' ? parts.slice(0, -1) : parts;
  await ingestParts(testAccount, run, readParts);
  naive.read(index, readParts);
  plain.held = end === 'held';
  if (end === 'failed') {
    await endRun(sql, run, { status: 'failed' });
    return;
  }
  plain.file = parts;
  await completeFile(sql, run, parts.length);
  const goneCount = naive.listGone(index).length;
  // So few trucks are never too many: only a file without any is held.
  const hasTrucks = parts.flat().length > 0;
  expect(await compareMembers(sql, run)).toMatchObject({ gone: goneCount, hasTrucks });
  if (end === 'held') {
    await endRun(sql, run, { status: 'held', wouldDelist: goneCount });
    const page = { limit: 50, after: null };
    const changes = await listChanges(sql, testAccount.account, run.feedId, run.runId, 'would_delist', page);
    expect(changes).toHaveLength(goneCount);
    return;
  }
  expect(await delist(run)).toBe(goneCount);
  naive.apply(index);
}

async function compare({ query }: Account, naive: Naive) {
  const listings = await query<{ hash: string; status: string; feed: string }>(
    `select encode(dedup_hash, 'hex') as hash, status, feed_id as feed from listings where account_id = $1`,
  );
  expect(new Map(listings.map((row) => [findTruck(row.hash), row.status]))).toEqual(naive.listed);
  const members = await query<{ feed: string; hash: string; misses: number }>(
    `select feed_id as feed, encode(dedup_hash, 'hex') as hash, misses from feed_members where account_id = $1`,
  );
  for (const [index, id] of FEEDS.entries()) {
    const ownMembers = members.filter((row) => row.feed === id);
    expect(new Map(ownMembers.map((row) => [findTruck(row.hash), row.misses])), id).toEqual(
      naive.at(index).members,
    );
  }
  // What a feed wrote and has lost is another feed's to write.
  for (const row of listings.filter(({ status }) => status === 'available'))
    if (await exists(query, row.feed))
      expect([...naive.at(FEEDS.indexOf(row.feed)).members.keys()]).toContain(findTruck(row.hash));
}

const exists = async (query: Account['query'], id: string) =>
  (await query('select 1 from feeds where account_id = $1 and id = $2', id)).length > 0;

test('whatever several feeds do, members and misses are those of plain sets, and gone is what no feed has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), fc.boolean(), async (steps, isLast) => {
      const testAccount = await openAccount();
      const naive = new Naive();
      for (const each of steps) {
        await take(testAccount, naive, each);
        await compare(testAccount, naive);
      }
      if (!isLast) return;
      await take(testAccount, naive, { kind: 'remove', feed: 2 });
      await compare(testAccount, naive);
    }),
    { numRuns: 40 },
  );
});

test('a part that is the same is passed over, unless another part takes one of its trucks', async () => {
  const testAccount = await openAccount();
  const run = async (...parts: number[][]) => {
    const begun = await begin(testAccount, FEEDS[0] ?? '');
    const skipped = await ingestParts(testAccount, begun, parts);
    await completeFile(sql, begun, parts.length);
    await delist(begun);
    return skipped;
  };
  await run([0, 1], [2, 3], [4, 5]);
  expect(await run([0, 1], [2, 3], [4, 5])).toBe(3);
  // Truck 4 is in two parts from here on: the later one is read each time.
  expect(await run([0, 1, 4], [2, 3], [4, 5])).toBe(1);
});
