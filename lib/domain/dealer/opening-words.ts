import type { Hours } from '../../contract/dealers/hours.ts';
import type { Locale } from '../../contract/widget/locale.ts';
import { DAY_MS } from '../time.ts';
import type { Opening } from './opening.ts';

/** What visitors read about when the dealer is there. */

const WORDS = {
  openUntil: { en: 'Open until #', es: 'Abierto hasta las #', fr: 'Ouvert jusqu’à #' },
  open: { en: 'Open now', es: 'Abierto', fr: 'Ouvert' },
  closed: { en: 'Closed', es: 'Cerrado', fr: 'Fermé' },
  opensToday: { en: 'Closed, opens at #', es: 'Cerrado, abre a las #', fr: 'Fermé, ouvre à #' },
  opensOn: { en: 'Closed, opens %d #', es: 'Cerrado, abre el %d a las #', fr: 'Fermé, ouvre %d à #' },
  answers: { en: 'answers in about #', es: 'responde en unos #', fr: 'répond en # environ' },
  minutes: { en: '# minutes', es: '# minutos', fr: '# minutes' },
  hour: { en: 'an hour', es: '60 minutos', fr: 'une heure' },
  hours: { en: '# hours', es: '# horas', fr: '# heures' },
} as const satisfies Record<string, Record<Locale, string>>;

/** How times are written. */
const REGION = { en: 'en-US', es: 'es-US', fr: 'fr-CA' } as const satisfies Record<Locale, string>;
const HOUR_MINUTES = 60;

/** "Open until 6:00 PM CST", "Closed, opens Monday 7:30 AM CST": times are the dealer's. */
export function describeOpening(
  { isOpen, changesAt }: Opening,
  timeZone: string,
  now: number,
  locale: Locale,
): string {
  if (changesAt === null) return WORDS[isOpen ? 'open' : 'closed'][locale];
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(REGION[locale], { timeZone, ...options })
      .format(changesAt)
      .replaceAll(/[\u202f\u00a0]/g, ' ');
  const time = `${format({ hour: 'numeric', minute: '2-digit' })} ${readZoneName(timeZone, changesAt)}`;
  if (isOpen) return WORDS.openUntil[locale].replace('#', time);
  const dayNow = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const dayThen = new Intl.DateTimeFormat('en-CA', { timeZone }).format(changesAt);
  if (dayNow === dayThen) return WORDS.opensToday[locale].replace('#', time);
  return WORDS.opensOn[locale].replace('%d', format({ weekday: 'long' })).replace('#', time);
}

/** `CST`, which other languages of the region write the same. */
function readZoneName(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** A Monday. */
const SOME_DAY = Date.UTC(2024, 0, 1);

/** "Mon–Fri 7:30 AM–6:00 PM, Sat 9:00 AM–1:00 PM": days of the same hours together, closed ones left out. */
export function describeHours(hours: Hours, locale: Locale): string {
  const format = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(REGION[locale], { timeZone: 'UTC', ...options })
      .format(at)
      .replaceAll(/[\u202f\u00a0]/g, ' ');
  const toTime = (text: string) =>
    format(SOME_DAY + Date.parse(`1970-01-01T${text}Z`), { hour: 'numeric', minute: '2-digit' });
  const groups: { days: string[]; text: string }[] = [];
  for (const [at, name] of WEEK.entries()) {
    const spans = (hours[name] ?? []).map(({ opens, closes }) => `${toTime(opens)}–${toTime(closes)}`);
    const text = spans.join(', ');
    const day = format(SOME_DAY + at * DAY_MS, { weekday: 'short' });
    const last = groups.at(-1);
    if (last?.text === text) last.days.push(day);
    else groups.push({ days: [day], text });
  }
  return groups
    .filter(({ text }) => text !== '')
    .map(({ days, text }) => `${[...new Set([days[0], days.at(-1)])].join('–')} ${text}`)
    .join(', ');
}

/** "answers in about 10 minutes", as the dealer states it. */
export function describeReply(minutes: number, locale: Locale): string {
  const hours = Math.round(minutes / HOUR_MINUTES);
  const [words, count] =
    minutes < HOUR_MINUTES ? [WORDS.minutes, minutes] : [hours === 1 ? WORDS.hour : WORDS.hours, hours];
  return WORDS.answers[locale].replace('#', words[locale].replace('#', `${count}`));
}
