import type { Locale } from '../../contract/widget/locale.ts';
import type { Opening } from './opening.ts';

/** What visitors read about when the dealer is there. */

interface Words {
  openUntil: string;
  open: string;
  closed: string;
  opensToday: string;
  opensOn: string;
  answers: string;
  minutes: string;
  hour: string;
  hours: string;
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    openUntil: 'Open until #',
    open: 'Open now',
    closed: 'Closed',
    opensToday: 'Closed, opens at #',
    opensOn: 'Closed, opens %d #',
    answers: 'answers in about #',
    minutes: '# minutes',
    hour: 'an hour',
    hours: '# hours',
  },
  es: {
    openUntil: 'Abierto hasta las #',
    open: 'Abierto',
    closed: 'Cerrado',
    opensToday: 'Cerrado, abre a las #',
    opensOn: 'Cerrado, abre el %d a las #',
    answers: 'responde en unos #',
    minutes: '# minutos',
    hour: '60 minutos',
    hours: '# horas',
  },
  fr: {
    openUntil: 'Ouvert jusqu’à #',
    open: 'Ouvert',
    closed: 'Fermé',
    opensToday: 'Fermé, ouvre à #',
    opensOn: 'Fermé, ouvre %d à #',
    answers: 'répond en # environ',
    minutes: '# minutes',
    hour: 'une heure',
    hours: '# heures',
  },
};

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
  const words = WORDS[locale];
  if (changesAt === null) return isOpen ? words.open : words.closed;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(REGION[locale], { timeZone, ...options })
      .format(changesAt)
      .replaceAll(/[\u202f\u00a0]/g, ' ');
  const time = `${format({ hour: 'numeric', minute: '2-digit' })} ${readZoneName(timeZone, changesAt)}`;
  if (isOpen) return words.openUntil.replace('#', time);
  const dayNow = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const dayThen = new Intl.DateTimeFormat('en-CA', { timeZone }).format(changesAt);
  if (dayNow === dayThen) return words.opensToday.replace('#', time);
  return words.opensOn.replace('%d', format({ weekday: 'long' })).replace('#', time);
}

/** `CST`, which other languages of the region write the same. */
function readZoneName(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** "answers in about 10 minutes", as the dealer states it. */
export function describeReply(minutes: number, locale: Locale): string {
  const words = WORDS[locale];
  const hours = Math.round(minutes / HOUR_MINUTES);
  const duration =
    minutes < HOUR_MINUTES
      ? words.minutes.replace('#', `${minutes}`)
      : hours === 1
        ? words.hour
        : words.hours.replace('#', `${hours}`);
  return words.answers.replace('#', duration);
}
