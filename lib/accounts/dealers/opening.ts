import type { Locale } from '../../truck/card/locale.ts';
import { DAY_MS } from '../../truck/time.ts';
import { DAYS, type Hours } from './hours.ts';
import type { Dealer } from './schemas.ts';

/** When a dealer is there, and how visitors read it in their language: times are the dealer's own. */

/** Days looked at: a dealer that opens on one weekday only, and is closed on the next of these. */
const LOOKAHEAD_DAYS = 15;
/** A weekday names only one day. */
const MAX_AHEAD_MS = 6 * DAY_MS;
const HOUR_MS = 3_600_000;
const HOUR_MINUTES = 60;

const WORDS = {
  openUntil: { en: 'Open until #', es: 'Abierto hasta las #', fr: 'Ouvert jusqu’à #' },
  open: { en: 'Open now', es: 'Abierto', fr: 'Ouvert' },
  closed: { en: 'Closed', es: 'Cerrado', fr: 'Fermé' },
  opensToday: { en: 'Closed, opens at #', es: 'Cerrado, abre a las #', fr: 'Fermé, ouvre à #' },
  opensOn: { en: 'Closed, opens %d #', es: 'Cerrado, abre el %d a las #', fr: 'Fermé, ouvre %d à #' },
  answers: { en: 'answers in about #', es: 'responde en # aprox.', fr: 'répond en # environ' },
} as const satisfies Record<string, Record<Locale, string>>;

/** How times are written. */
const REGION = { en: 'en-US', es: 'es-US', fr: 'fr-CA' } as const satisfies Record<Locale, string>;

/** How visitors reach the dealer. A reply time is the dealer's own statement, and holds while it is open. */
export function toVisitorsDealer(
  {
    name,
    phone,
    sms,
    hours,
    time_zone,
    reply_minutes,
  }: Pick<Dealer, 'name' | 'phone' | 'sms' | 'hours' | 'time_zone' | 'reply_minutes'>,
  locale: Locale,
  now: number,
) {
  const opening = hours && time_zone ? describeOpening(hours, time_zone, now, locale) : null;
  const repliesNow = reply_minutes !== null && opening?.isOpen !== false;
  return { name, phone, sms, opening, reply: repliesNow ? describeReply(reply_minutes, locale) : null };
}

/** "Open until 6:00 PM CST", "Closed, opens Monday 7:30 AM CST". */
export function describeOpening(hours: Hours, timeZone: string, now: number, locale: Locale) {
  const spans = listSpans(hours, timeZone, now);
  const isOpen = spans.some(({ from, to }) => from <= now && now < to);
  const changesAt = spans.flatMap(({ from, to }) => [from, to]).find((at) => at > now) ?? Infinity;
  if (changesAt > now + MAX_AHEAD_MS) return { isOpen, text: WORDS[isOpen ? 'open' : 'closed'][locale] };
  const format = (options: Intl.DateTimeFormatOptions) =>
    toPlain(new Date(changesAt).toLocaleString(REGION[locale], { timeZone, ...options }));
  const time = `${format({ hour: 'numeric', minute: '2-digit' })} ${readZoneName(changesAt, timeZone)}`;
  const isToday = toDate(now, timeZone) === toDate(changesAt, timeZone);
  const closes = isToday ? WORDS.openUntil : WORDS.open;
  const opens = isToday ? WORDS.opensToday : WORDS.opensOn;
  const words = (isOpen ? closes : opens)[locale];
  return { isOpen, text: words.replace('%d', format({ weekday: 'long' })).replace('#', time) };
}

const toPlain = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, ' ');

/** `CST`, which other languages of the region write the same. */
function readZoneName(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** "answers in about 10 minutes", in hours from one on. */
export function describeReply(minutes: number, locale: Locale): string {
  const [unit, count] =
    minutes < HOUR_MINUTES ? ['minute', minutes] : ['hour', Math.round(minutes / HOUR_MINUTES)];
  const format = new Intl.NumberFormat(REGION[locale], { style: 'unit', unit, unitDisplay: 'long' });
  return WORDS.answers[locale].replace('#', toPlain(format.format(count)));
}

/** Openings from yesterday on; those that meet at midnight are one. */
function listSpans(hours: Hours, timeZone: string, now: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  const today = Date.parse(toDate(now, timeZone));
  for (let offset = -1; offset < LOOKAHEAD_DAYS; offset++) {
    const day = new Date(today + offset * DAY_MS);
    const date = day.toISOString().slice(0, 10);
    if (hours.closed_on?.includes(date)) continue;
    for (const { opens, closes } of hours[DAYS[day.getUTCDay()] ?? 'sun'] ?? []) {
      const [from, to] = [toInstant(day, opens, timeZone), toInstant(day, closes, timeZone)];
      const last = spans.at(-1);
      if (last?.to === from) last.to = to;
      else spans.push({ from, to });
    }
  }
  return spans;
}

/** When clocks there show this time; a time that they skip in spring is an hour later. */
function toInstant(day: Date, time: string, timeZone: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wanted = day.getTime() + hours * HOUR_MS + minutes * 60_000;
  const near = wanted - readOffset(wanted, timeZone);
  const at = wanted - readOffset(near, timeZone);
  return at + readOffset(at, timeZone) === wanted ? at : at + HOUR_MS;
}

/** `2026-01-15`, as the calendar there says. */
const toDate = (at: number, timeZone: string) => toLocal(at, timeZone).slice(0, 10);

/** What the clocks there are ahead of UTC, in ms. */
const readOffset = (at: number, timeZone: string) => Date.parse(`${toLocal(at, timeZone)}Z`) - at;

/** `2026-01-15 07:30:00`, as Sweden writes times. */
const toLocal = (at: number, timeZone: string) => new Date(at).toLocaleString('sv-SE', { timeZone });
