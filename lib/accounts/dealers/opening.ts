import type { Locale } from '../../truck/card/locale.ts';
import { DAY_MS } from '../../truck/time.ts';
import { DAYS, type Hours } from './hours.ts';
import type { Dealer } from './schemas.ts';

/** When a dealer is there, and how visitors read it in their language: by the dealer's own clock. */

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
  { name, phone, sms, hours, time_zone, reply_minutes }: Dealer,
  locale: Locale,
  now: number,
) {
  const opening = hours && time_zone ? describeOpening(hours, time_zone, now, locale) : null;
  const repliesNow = reply_minutes !== null && opening?.isOpen !== false;
  return { name, phone, sms, opening, reply: repliesNow ? describeReply(reply_minutes, locale) : null };
}

/** "Open until 6:00 PM CT", "Closed, opens Monday 7:30 AM CT". */
export function describeOpening(hours: Hours, timeZone: string, now: number, locale: Locale) {
  // As Sweden writes times: `2026-01-15 07:30:00`.
  const [today = '', time = ''] = new Date(now).toLocaleString('sv-SE', { timeZone }).split(' ');
  const spans = listSpans(hours, Date.parse(today));
  const write = (at: Date, options: Intl.DateTimeFormatOptions) =>
    toPlain(at.toLocaleString(REGION[locale], { timeZone: 'UTC', ...options }));
  const writeTime = (clock: string) => {
    const at = new Date(`2026-01-01T${clock}Z`);
    return `${write(at, { hour: 'numeric', minute: '2-digit' })} ${nameZone(now, timeZone)}`;
  };
  const current = spans.find(({ ahead, opens, closes }) => ahead === 0 && opens <= time && time < closes);
  if (current) {
    // Until midnight, or beyond.
    const words = current.closes === '24:00' ? WORDS.open : WORDS.openUntil;
    return { isOpen: true, text: words[locale].replace('#', writeTime(current.closes)) };
  }
  const nextSpan = spans.find(({ ahead, opens }) => ahead > 0 || opens > time);
  if (!nextSpan) return { isOpen: false, text: WORDS.closed[locale] };
  const words = nextSpan.ahead === 0 ? WORDS.opensToday : WORDS.opensOn;
  const weekday = write(nextSpan.day, { weekday: 'long' });
  const text = words[locale].replace('%d', weekday).replace('#', writeTime(nextSpan.opens));
  return { isOpen: false, text };
}

/** Openings of today and of the six days after it: a weekday names only one day. */
function listSpans(hours: Hours, today: number) {
  return Array.from({ length: 7 }, (_, ahead) => {
    const day = new Date(today + ahead * DAY_MS);
    const isClosed = hours.closed_on?.includes(day.toISOString().slice(0, 10));
    const spans = (!isClosed && hours[DAYS[day.getUTCDay()] ?? 'sun']) || [];
    return spans.map((span) => ({ ...span, day, ahead }));
  }).flat();
}

const toPlain = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, ' ');

/** `CT`, whether clocks are set forward or not. */
function nameZone(now: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortGeneric' }).formatToParts(
    now,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** "answers in about 10 minutes", in hours from one on. */
export function describeReply(minutes: number, locale: Locale): string {
  const [unit, count] =
    minutes < HOUR_MINUTES ? ['minute', minutes] : ['hour', Math.round(minutes / HOUR_MINUTES)];
  const format = new Intl.NumberFormat(REGION[locale], { style: 'unit', unit, unitDisplay: 'long' });
  return WORDS.answers[locale].replace('#', toPlain(format.format(count)));
}
