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
/** Part of the budget for reading stored answers. */
const TABLE_MS = 400;
/** With less time left than this nothing is asked. */
const MIN_TIME_LEFT_MS = 400;
const MAX_CONCURRENCY = 6;
const MAX_PLACES = 60;
const REST_MS = 30_000;

/**
 * The bundled gazetteer first; what it does not know is asked for over HTTP: each place once, a few at a time, within
 * a budget for the whole batch. What the budget does not reach is `later`. Never throws for the remote's sake; after a
 * failure it is left alone for 30 s.
 */
export function remoteGeocoder(
  bundled: Geocoder,
  { url, fetcher, sql, clock, log }: { url: string; fetcher: Fetcher; sql: Sql; clock: Clock; log: Log },
): Geocoder {
  let restsUntil = 0;

  async function askAll(places: readonly string[], until: number): Promise<Answers> {
    const queue = places.slice(0, MAX_PLACES).values();
    const answers = new Map<string, Coordinates | null>();
    const work = async () => {
      for (const place of queue) {
        const leftMs = until - clock.now();
        if (leftMs < MIN_TIME_LEFT_MS || clock.now() < restsUntil) return;
        try {
          answers.set(place, await askRemote({ fetcher, url }, place, leftMs));
        } catch {
          restsUntil = clock.now() + REST_MS;
          log.write({ level: 'warn', event: 'geocoder_failed' });
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
    return answers;
  }

  return {
    async locate(places) {
      const until = clock.now() + BUDGET_MS;
      const located = await bundled.locate(places);
      const questions = places.map((place, index) => (located[index] === null ? toQuestion(place) : null));
      const uniqueQuestions = [...new Set(questions)].filter((question) => question !== null);
      if (uniqueQuestions.length === 0) return located;
      const storedAnswers: Answers = await within(TABLE_MS, () => readGeocodes(sql, uniqueQuestions)).catch(
        () => new Map(),
      );
      const newAnswers = await askAll(
        uniqueQuestions.filter((question) => !storedAnswers.has(question)),
        until,
      );
      if (newAnswers.size > 0) await saveGeocodes(sql, newAnswers).catch(() => undefined);
      const answers = new Map([...storedAnswers, ...newAnswers]);
      return located.map((place, index) => {
        const question = questions[index] ?? null;
        if (question === null) return place;
        const at = answers.get(question);
        return at === undefined ? 'later' : at && { source: 'geocoder', ...at };
      });
    },
  };
}

/** The question for a place, also the key of its stored answer; null if the place says too little. */
function toQuestion({ city, state, zip }: Address): string | null {
  if (zip === null && (city === null || state === null)) return null;
  const region = [state, zip].filter(Boolean).join(' ');
  return [city, region].filter(Boolean).join(', ').toLowerCase().slice(0, 200);
}
