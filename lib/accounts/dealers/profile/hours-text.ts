import { toTable } from '../../../truck/text/table.ts';
import { DAYS, type Hours } from '../hours.ts';

/** Opening hours as people write them: `Mon-Fri 8-5, Sat 9-1`. */

type Day = (typeof DAYS)[number];
type Span = NonNullable<Hours[Day]>[number];
export type Week = { [Name in Day]?: Span[] | undefined };

const WEEK: readonly Day[] = [...DAYS.slice(1), DAYS[0]];
const GROUPS: Readonly<Record<string, readonly Day[]>> = toTable({
  daily: WEEK,
  everyday: WEEK,
  weekdays: WEEK.slice(0, 5),
  weekends: WEEK.slice(5),
});

/** The hours of each day; `unclear` are the parts that could not be read. */
export function readHours(text: string): { week: Week; unclear: string[] } {
  const week: Week = {};
  const unclear: string[] = [];
  let waiting: Day[] = [];
  let current: Day[] = [];
  for (const part of splitParts(text)) {
    const { days, times } = splitPart(part);
    const named = days === '' ? [] : readDays(days);
    if (named === null) unclear.push(part);
    else if (times === '') waiting.push(...named);
    else {
      if (days !== '') current = [...waiting, ...named];
      waiting = days === '' ? waiting : [];
      const span = times === 'closed' ? null : readSpan(times);
      if (span === undefined || current.length === 0) unclear.push(part);
      else for (const day of current) week[day] = [...(week[day] ?? []), ...(span === null ? [] : [span])];
    }
  }
  if (waiting.length > 0) unclear.push(text.trim());
  return { week: withoutClosed(week), unclear };
}

const withoutClosed = (week: Week): Week =>
  Object.fromEntries(Object.entries(week).filter(([, spans]) => spans !== undefined && spans.length > 0));

function splitParts(text: string): string[] {
  const plain = text
    .slice(0, 500)
    .toLowerCase()
    .replaceAll(/[–—]/g, '-')
    .replaceAll(/every day|7 days/g, 'daily')
    .replaceAll('noon', '12pm')
    .replaceAll('midnight', '24:00');
  return plain
    .split(/[,;&\n]| and /)
    .map((part) => part.replaceAll('.', '').trim())
    .filter((part) => part !== '');
}

/** What stands before the first digit, or before `closed`, names days. */
function splitPart(part: string): { days: string; times: string } {
  if (part.endsWith('closed')) return { days: toDayText(part.slice(0, -6)), times: 'closed' };
  const at = part.search(/\d/);
  if (at === -1) return { days: toDayText(part), times: '' };
  return { days: toDayText(part.slice(0, at)), times: part.slice(at) };
}

const toDayText = (text: string) => text.replaceAll(':', '').trim();

/** `mon-fri`, `mon to fri`, `sat`, `weekdays`; null when a word is no day. */
function readDays(text: string): Day[] | null {
  const [first = '', last, ...more] = text.split(/-| to | through | thru /).map((word) => word.trim());
  if (more.length > 0) return null;
  const group = GROUPS[first.replace(/s?$/, 's')] ?? GROUPS[first];
  if (group !== undefined && last === undefined) return [...group];
  const [from, to] = [toDay(first), toDay(last ?? first)];
  if (from === undefined || to === undefined) return null;
  const [begin, end] = [WEEK.indexOf(from), WEEK.indexOf(to)];
  return begin <= end ? WEEK.slice(begin, end + 1) : [...WEEK.slice(begin), ...WEEK.slice(0, end + 1)];
}

/** Mo, mon, Monday, Mondays; never a word that only begins like a day. */
function toDay(word: string): Day | undefined {
  const found = WEEK.find((day) => NAMES[day].startsWith(word.replace(/s$/, '')));
  return word.length >= 2 ? (found ?? (word === 'thurs' ? 'thu' : undefined)) : undefined;
}

const NAMES: Readonly<Record<Day, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  fri: 'friday',
  sat: 'saturday',
  sun: 'sunday',
};

/** Undefined when it is no opening. Without am and pm, 8-5 is by day, and nobody opens between 1 and 5 at night. */
function readSpan(text: string): Span | undefined {
  const [opening, closing, ...more] = text.split(/-| to | until /).map((time) => readTime(time.trim()));
  if (!opening || !closing || more.length > 0) return undefined;
  const opens =
    opening.minutes + (opening.half === '' && opening.minutes < 6 * 60 && opening.minutes >= 60 ? 720 : 0);
  const isEvening = closing.half === '' && closing.minutes <= opens && closing.minutes <= 720;
  const closes = closing.minutes + (isEvening ? 720 : 0);
  if (closes <= opens || closes > 1_440 || opens >= 1_440) return undefined;
  return { opens: toClock(opens), closes: toClock(closes) };
}

const TIME = /^(\d{1,2})(?::(\d\d))? ?([ap]?)m?$/;

function readTime(text: string): { minutes: number; half: string } | undefined {
  const [, hours = '', minutes = '0', half = ''] = TIME.exec(text) ?? [];
  if (hours === '' || Number(minutes) > 59 || Number(hours) > (half === '' ? 24 : 12)) return undefined;
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  return { minutes: hour * 60 + Number(minutes), half };
}

const toClock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** `Mon-Fri 7:30am-6pm, Sat 8am-1pm`; '' without any. */
export function formatHours(hours: Week | null): string {
  if (hours === null) return '';
  const groups: { days: Day[]; times: string }[] = [];
  for (const day of WEEK) {
    const times = (hours[day] ?? []).map(formatSpan).join(', ');
    const last = groups.at(-1);
    if (last?.times === times) last.days.push(day);
    else groups.push({ days: [day], times });
  }
  return groups
    .filter(({ times }) => times !== '')
    .map(({ days, times }) => `${formatDays(days)} ${times}`)
    .join(', ');
}

const short = (day: Day) => day.charAt(0).toUpperCase() + day.slice(1);

function formatDays(days: readonly Day[]): string {
  const [first = 'mon', last = first] = [days[0], days.at(-1)];
  return first === last ? short(first) : `${short(first)}-${short(last)}`;
}

const formatSpan = ({ opens, closes }: Span) => `${formatTime(opens)}-${formatTime(closes)}`;

function formatTime(clock: string): string {
  if (clock === '24:00') return 'midnight';
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hours % 12 === 0 ? 12 : hours % 12}${rest}${hours < 12 ? 'am' : 'pm'}`;
}
