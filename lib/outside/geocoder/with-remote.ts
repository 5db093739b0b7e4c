import type { Sql } from '../../db/sql.ts';
import type { Located } from '../../truck/listing/listing-doc.ts';
import type { Coordinates, Fetcher, Geocoder } from '../outbound.ts';
import { within } from '../system/within.ts';
import type { Background, Clock, Log } from '../system.ts';
import { type Geocodes, postgresGeocodes } from './geocodes.ts';
import { placeMemory } from './place-memory.ts';
import { askRemote } from './remote.ts';
import { type BreakerChange, remoteBreaker } from './remote-breaker.ts';

type Address = Parameters<Geocoder['locate']>[0][number];

export interface RemoteOptions {
  /** Null: it knows no such place. Throws when it does not answer within `timeoutMs`, or not sensibly. */
  ask(place: string, timeoutMs: number): Promise<Coordinates | null>;
  geocodes: Geocodes;
  clock: Clock;
  background: Background;
  /** Learns when the remote geocoder is given up for a while, and when it is asked again. */
  onChange(change: BreakerChange): void;
}

/** A batch waits no longer, however many places it has to ask for. */
const BUDGET_MS = 1_500;
/** Of the budget, for reading what was asked before. */
const TABLE_MS = 400;
/** With less time left than this nothing is asked. */
const MIN_TIME_LEFT_MS = 400;
const MAX_CONCURRENCY = 6;
const MAX_PLACES = 60;

/**
 * The bundled gazetteer first; what it does not know is asked for over HTTP: each place once, a few at a time, within
 * a budget for the whole batch. What the budget does not reach is `later`. Never throws for the remote's sake; after
 * three failures in a row it is left alone for 30 s, and one question decides how it goes on.
 */
function withRemote(
  bundled: Geocoder,
  { ask, geocodes, clock, background, onChange }: RemoteOptions,
): Geocoder {
  const memory = placeMemory(clock);
  const breaker = remoteBreaker(clock, onChange);
  const asking = new Map<string, Promise<Coordinates | null>>();

  /** Concurrent batches that name one place share a question. */
  async function askOnce(place: string, timeoutMs: number): Promise<Coordinates | null> {
    const running = asking.get(place) ?? ask(place, timeoutMs);
    asking.set(place, running);
    try {
      const at = await running;
      breaker.close();
      return at;
    } catch (error) {
      breaker.countFault();
      throw error;
    } finally {
      asking.delete(place);
    }
  }

  async function askAll(places: readonly string[], left: () => number): Promise<void> {
    const queue = places.slice(0, MAX_PLACES);
    const fresh = new Map<string, Coordinates | null>();
    const worker = async () => {
      for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
        if (left() < MIN_TIME_LEFT_MS || breaker.isOpen()) return;
        try {
          const at = await askOnce(place, left());
          memory.remember(place, at);
          fresh.set(place, at);
        } catch {
          // Counted by the breaker; the place stays unanswered.
        }
      }
    };
    // After failures one question probes for all.
    await Promise.all(Array.from({ length: breaker.isTripped() ? 1 : MAX_CONCURRENCY }, worker));
    if (fresh.size > 0) background.run(geocodes.keep(fresh));
  }

  async function recallFromTable(places: readonly string[]): Promise<void> {
    const known = await within(TABLE_MS, () => geocodes.known(places)).catch(() => null);
    for (const [place, at] of known ?? []) memory.remember(place, at);
  }

  return {
    async locate(places) {
      const ends = clock.now() + BUDGET_MS;
      const located = await bundled.locate(places);
      const unknown = places.map((place, index) => (located[index] === null ? placeText(place) : null));
      const missing = () =>
        [...new Set(unknown.filter((text) => text !== null && memory.recall(text) === undefined))].filter(
          (text) => text !== null,
        );
      if (missing().length > 0) await recallFromTable(missing());
      if (missing().length > 0 && !breaker.isOpen()) await askAll(missing(), () => ends - clock.now());
      return located.map((found, index) => {
        const text = unknown[index] ?? null;
        return text === null ? found : toAnswer(memory.recall(text));
      });
    },
  };
}

/** The same over a URL template and the service's database. */
export function remoteGeocoder(
  bundled: Geocoder,
  { url, fetcher, sql, clock, log, background }: RemoteNeeds,
): Geocoder {
  return withRemote(bundled, {
    ask: (place, timeoutMs) => askRemote({ fetcher, url }, place, timeoutMs),
    geocodes: postgresGeocodes(sql),
    clock,
    background,
    onChange: (change) => log.write({ level: 'warn', event: 'geocoder_breaker', ...change }),
  });
}

interface RemoteNeeds {
  url: string;
  fetcher: Fetcher;
  sql: Sql;
  clock: Clock;
  log: Log;
  background: Background;
}

function toAnswer(known: Coordinates | null | undefined): Located | 'later' {
  if (known === undefined) return 'later';
  return known === null ? null : { source: 'geocoder', ...known };
}

/** The question, and what it is remembered by; null for a place that says too little. */
function placeText({ city, state, zip }: Address): string | null {
  if (zip === null && (city === null || state === null)) return null;
  const region = [state, zip].filter((part) => part !== null).join(' ');
  return [city, region]
    .filter((part) => part !== null && part !== '')
    .join(', ')
    .toLowerCase()
    .slice(0, 200);
}
