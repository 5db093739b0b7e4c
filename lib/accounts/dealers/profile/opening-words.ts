import type { Locale } from '../../../truck/card/locale.ts';
import { DAY_MS } from '../../../truck/time.ts';
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
/** A weekday names only one day. */
const MAX_AHEAD_MS = 6 * DAY_MS;

/** "Open until 6:00 PM CST", "Closed, opens Monday 7:30 AM CST": times are the dealer's. */
export function describeOpening(
  { isOpen, changesAt }: Opening,
  timeZone: string,
  now: number,
  locale: Locale,
): string {
  if (changesAt === null || changesAt > now + MAX_AHEAD_MS) return WORDS[isOpen ? 'open' : 'closed'][locale];
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(REGION[locale], { timeZone, ...options })
      .format(changesAt)
      .replaceAll(/[\u202f\u00a0]/g, ' ');
  const time = `${format({ hour: 'numeric', minute: '2-digit' })} ${readZoneName(timeZone, changesAt)}`;
  const toDay = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  const isToday = toDay(now) === toDay(changesAt);
  if (isOpen) return isToday ? WORDS.openUntil[locale].replace('#', time) : WORDS.open[locale];
  if (isToday) return WORDS.opensToday[locale].replace('#', time);
  return WORDS.opensOn[locale].replace('%d', format({ weekday: 'long' })).replace('#', time);
}

/** `CST`, which other languages of the region write the same. */
function readZoneName(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** "answers in about 10 minutes", as the dealer states it. */
export function describeReply(minutes: number, locale: Locale): string {
  const hours = Math.round(minutes / HOUR_MINUTES);
  const [words, count] =
    minutes < HOUR_MINUTES ? [WORDS.minutes, minutes] : [hours === 1 ? WORDS.hour : WORDS.hours, hours];
  return WORDS.answers[locale].replace('#', words[locale].replace('#', `${count}`));
}
