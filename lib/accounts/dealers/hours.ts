import * as z from 'zod/mini';
import { about, isDay } from '../../truck/json.ts';

/** When a dealer is open. */

/** As in `Date.getUTCDay`. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const MAX_SPANS = 3;
const MAX_CLOSED_DAYS = 60;

/** How hours are written: the rest of each refusal of them. */
const EXPECTED =
  'is not in the form of hours: up to 3 openings a day in order, in 24 hours, like {"mon":[{"opens":"08:00","closes":"12:00"},{"opens":"13:00","closes":"17:00"}]}';

const Time = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, EXPECTED));
const Closing = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, EXPECTED));

const Span = z.strictObject(
  {
    opens: about(Time, 'Time of day, 24 hours.', '07:30'),
    closes: about(Closing, 'Later than `opens`; `24:00` is midnight.', '18:00'),
  },
  EXPECTED,
);
type Span = z.output<typeof Span>;

const areInOrder = (spans: readonly Span[]) =>
  spans.every(({ opens, closes }, n) => opens < closes && opens > (spans[n - 1]?.closes ?? ''));

const Spans = z.optional(
  z.array(Span, EXPECTED).check(z.maxLength(MAX_SPANS), z.refine(areInOrder, EXPECTED)),
);

export const ClosedOn = about(
  z
    .array(z.string().check(z.refine(isDay, 'must be a date such as 2026-12-25')))
    .check(z.maxLength(MAX_CLOSED_DAYS)),
  'Days on which the dealer is closed, such as holidays.',
  ['2026-12-25'],
);

export const Hours = about(
  z.strictObject(
    {
      mon: Spans,
      tue: Spans,
      wed: Spans,
      thu: Spans,
      fri: Spans,
      sat: Spans,
      sun: Spans,
      closed_on: z.optional(ClosedOn),
    },
    EXPECTED,
  ),
  'Up to three openings a day; a day that is absent is a day on which the dealer is closed.',
);
export type Hours = z.output<typeof Hours>;

function isKnownZone(zone: string): boolean {
  try {
    return zone.includes('/') && new Intl.DateTimeFormat('en', { timeZone: zone }).format() !== '';
  } catch {
    return false;
  }
}

export const TimeZone = z
  .string()
  .check(
    z.maxLength(60),
    z.refine(isKnownZone, 'must be a name of the IANA time zone database, such as America/Chicago'),
  );
