import type { Sql } from '../../db/sql.ts';
import type { Coordinates, Fetcher, Geocoder } from '../outbound.ts';
import { within } from '../system/within.ts';
import type { Clock, Log } from '../system.ts';
import { readGeocodes, saveGeocodes } from './geocodes.ts';
import { askRemote } from './remote.ts';

type Address = Parameters<Geocoder['locate']>[0][number];
type Answers = ReadonlyMap<string, Coordinates | null>;

/** A batch waits no longer, however many places it has to ask for. */
const BUDGET_MS = 1_500;
/** Of the budget, for reading what was asked before. */
const TABLE_MS = 400;
/** With less time left than this nothing is asked. */
const MIN_TIME_LEFT_MS = 400;
const MAX_CONCURRENCY = 6;
const MAX_PLACES = 60;
/** Failures in a row after which it is left alone. */
const MAX_FAULTS = 3;
const REST_MS = 30_000;

/**
 * The bundled gazetteer first; what it does not know is asked for over HTTP: each place once, a few at a time, within
 * a budget for the whole batch. What the budget does not reach is `later`. Never throws for the remote's sake; after
 * three failures in a row it is left alone for 30 s, and one question decides how it goes on.
 */
export function remoteGeocoder(
  bundled: Geocoder,
  { url, fetcher, sql, clock, log }: { url: string; fetcher: Fetcher; sql: Sql; clock: Clock; log: Log },
): Geocoder {
  let faults = 0;
  let restsUntil = 0;
  const report = (state: 'open' | 'closed') => log.write({ level: 'warn', event: 'geocoder_breaker', state });

  function countFault(): void {
    faults += 1;
    restsUntil = faults < MAX_FAULTS ? 0 : clock.now() + REST_MS;
    if (faults === MAX_FAULTS) report('open');
  }

  async function askAll(places: readonly string[], until: number): Promise<Answers> {
    const queue = places.slice(0, MAX_PLACES);
    const answers = new Map<string, Coordinates | null>();
    const work = async () => {
      for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
        const leftMs = until - clock.now();
        if (leftMs < MIN_TIME_LEFT_MS || clock.now() < restsUntil) return;
        try {
          answers.set(place, await askRemote({ fetcher, url }, place, leftMs));
          if (faults >= MAX_FAULTS) report('closed');
          faults = 0;
        } catch {
          countFault();
        }
      }
    };
    await Promise.all(Array.from({ length: faults < MAX_FAULTS ? MAX_CONCURRENCY : 1 }, work));
    return answers;
  }

  return {
    async locate(places) {
      const until = clock.now() + BUDGET_MS;
      const located = await bundled.locate(places);
      const questions = places.map((place, index) => (located[index] === null ? toQuestion(place) : null));
      const wanted = [...new Set(questions)].filter((question) => question !== null);
      if (wanted.length === 0) return located;
      const stored: Answers = await within(TABLE_MS, () => readGeocodes(sql, wanted)).catch(() => new Map());
      const asked = await askAll(
        wanted.filter((question) => !stored.has(question)),
        until,
      );
      if (asked.size > 0) await saveGeocodes(sql, asked).catch(() => undefined);
      const answers = new Map([...stored, ...asked]);
      return located.map((place, index) => {
        const question = questions[index] ?? null;
        if (question === null) return place;
        const at = answers.get(question);
        return at === undefined ? 'later' : at && { source: 'geocoder', ...at };
      });
    },
  };
}

/** What is asked, and remembered; null for a place that says too little. */
function toQuestion({ city, state, zip }: Address): string | null {
  if (zip === null && (city === null || state === null)) return null;
  const region = [state, zip].filter(Boolean).join(' ');
  return [city, region].filter(Boolean).join(', ').toLowerCase().slice(0, 200);
}
