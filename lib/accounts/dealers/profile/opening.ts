import { DAY_MS } from '../../../truck/time.ts';
import { DAYS, type Hours } from '../hours.ts';

/** When a dealer opens and closes next, in the dealer's own time zone. */

/** Days looked at: a dealer that opens on one weekday only, and is closed on the next of these. */
const LOOKAHEAD_DAYS = 15;

export interface Opening {
  isOpen: boolean;
  /** When that changes, in ms since 1970; null: never in the next two weeks. */
  changesAt: number | null;
}

/** Whether the dealer is open at a moment, and until when that holds. */
export function findOpening(hours: Hours, timeZone: string, now: number): Opening {
  const spans = listSpans(hours, timeZone, now);
  const current = spans.find(({ from, to }) => from <= now && now < to);
  if (current) return { isOpen: true, changesAt: current.to };
  return { isOpen: false, changesAt: spans.find(({ from }) => from > now)?.from ?? null };
}

interface Span {
  from: number;
  to: number;
}

/** Openings from yesterday on; those that meet at midnight are one. */
function listSpans(hours: Hours, timeZone: string, now: number): Span[] {
  const spans: Span[] = [];
  const today = toDate(now, timeZone);
  for (let offset = -1; offset < LOOKAHEAD_DAYS; offset++) {
    const midday = Date.parse(`${today}T12:00Z`) + offset * DAY_MS;
    const date = new Date(midday).toISOString().slice(0, 10);
    const day = DAYS[new Date(midday).getUTCDay()] ?? 'sun';
    if (hours.closed_on?.includes(date)) continue;
    for (const { opens, closes } of hours[day] ?? []) {
      const [from, to] = [toInstant(date, opens, timeZone), toInstant(date, closes, timeZone)];
      const last = spans.at(-1);
      if (last?.to === from) last.to = to;
      else spans.push({ from, to });
    }
  }
  return spans;
}

/** `2026-01-15`, as the calendar there says. */
function toDate(at: number, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }).format(at);
}

/** When clocks there show this time; of the hour that is skipped in spring, an hour before. */
function toInstant(date: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${date}T00:00Z`) + toMinutes(time) * 60_000;
  const first = wanted - readOffset(wanted, timeZone);
  return wanted - readOffset(first, timeZone);
}

function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** What the clocks there are ahead of UTC, in ms. */
function readOffset(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
