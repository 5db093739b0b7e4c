import * as z from 'zod/mini';
import { DAYS, Hours } from '../hours.ts';

/** Opening hours in one line of text: `Mon-Fri 8am-12pm 1pm-5pm, Sat 9:00-13:00`. What is not written so is refused. */

const EXAMPLE_HOURS = 'Mon-Fri 8am-5pm, Sat 9am-1pm';

type Day = (typeof DAYS)[number];
type Week = Omit<Hours, 'closed_on'>;

const WEEK: readonly Day[] = [...DAYS.slice(1), DAYS[0]];
const DAY = `(${DAYS.join('|')})[a-z]*`;
const PART = new RegExp(`^${DAY}(?: ?- ?${DAY})?:? (.+)$`);
const SPAN = /^(\d{1,2})(?::(\d\d))?(am|pm)?-(\d{1,2})(?::(\d\d))?(am|pm)?$/;

export const HoursText = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(500)),
    z.transform((text, { issues }): Week => {
      const parts = text.replaceAll('–', '-').split(/[,;\n]/);
      const week: Week = {};
      for (const part of parts.map((own) => own.trim()).filter((own) => own !== '')) {
        const days = readPart(part.toLowerCase());
        if (days !== null) for (const { day, spans } of days) week[day] = [...(week[day] ?? []), ...spans];
        else
          issues.push({
            code: 'custom',
            message: `is not clear at “${part.slice(0, 60)}”: write it like ${EXAMPLE_HOURS}`,
            input: text,
          });
      }
      return week;
    }),
  ),
  Hours,
);

/** Null when it is not clear. */
function readPart(part: string) {
  const [, from, to = from, times = ''] = PART.exec(part) ?? [];
  const [first, last] = [from, to].map((name) => WEEK.indexOf(name as Day));
  const spans = times
    .replaceAll(/ ?- ?/g, '-')
    .replaceAll(/ (am|pm)/g, '$1')
    .split(' ')
    .map(readSpan);
  if (first === undefined || last === undefined || first < 0 || last < first) return null;
  if (!spans.every((span) => span !== null)) return null;
  return WEEK.slice(first, last + 1).map((day) => ({ day, spans }));
}

function readSpan(text: string) {
  const [, ...times] = SPAN.exec(text) ?? [];
  const [opens, closes] = [readTime(times.slice(0, 3)), readTime(times.slice(3))];
  return opens === null || closes === null ? null : { opens, closes };
}

/** `17:30` or `5pm`: without minutes a number may be either half of the day. */
function readTime([hours = '', minutes, half]: readonly (string | undefined)[]): string | null {
  if (half === undefined && minutes === undefined) return null;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
}

/** '' without any. */
export function formatHours(hours: Hours | null): string {
  const groups: { first: Day; last: Day; times: string }[] = [];
  for (const day of WEEK) {
    const times = (hours?.[day] ?? [])
      .map(({ opens, closes }) => `${toHalf(opens)}-${toHalf(closes)}`)
      .join(' ');
    const group = groups.at(-1);
    if (group?.times === times) group.last = day;
    else groups.push({ first: day, last: day, times });
  }
  return groups
    .filter(({ times }) => times !== '')
    .map(
      ({ first, last, times }) => `${first === last ? name(first) : `${name(first)}-${name(last)}`} ${times}`,
    )
    .join(', ');
}

const name = (day: Day) => day.charAt(0).toUpperCase() + day.slice(1);

/** `17:30` → 5:30pm; midnight stays 24:00. */
function toHalf(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  if (hours === 24) return time;
  const rest = minutes === 0 ? '' : time.slice(2);
  return `${hours % 12 === 0 ? 12 : hours % 12}${rest}${hours < 12 ? 'am' : 'pm'}`;
}
