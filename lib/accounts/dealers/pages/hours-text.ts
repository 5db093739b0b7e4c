import * as z from 'zod/mini';
import { DAYS, Hours } from '../hours.ts';

/** Opening hours in one line of text: `Mon-Fri 8am-12pm 1pm-5pm, Sat 9:00-13:00`. What is not written so is refused. */

type Day = (typeof DAYS)[number];

const WEEK: readonly Day[] = [...DAYS.slice(1), DAYS[0]];
const PART = /^([a-z]{3})[a-z]*(?: ?- ?([a-z]{3})[a-z]*)?:? (.+)$/;
const EXAMPLE = 'Mon-Fri 8am-5pm, Sat 9am-1pm';

export const HoursText = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(500)),
    z.transform((text, { issues }): Omit<Hours, 'closed_on'> => {
      const week: Omit<Hours, 'closed_on'> = {};
      const parts = toDayTimes(text.toLowerCase().replaceAll('–', '-')).split(/[,;\n]/);
      for (const part of parts.map((own) => own.trim()).filter(Boolean)) {
        const [, from, to = from, times = ''] = PART.exec(part) ?? [];
        const [first = -1, last = -1] = [from, to].map((name) => WEEK.indexOf(name as Day));
        if (first < 0 || last < first) {
          const message = `is not clear at “${part.slice(0, 60)}”: write it like ${EXAMPLE}`;
          issues.push({ code: 'custom', message, input: text });
        }
        const spans = times.replaceAll(/ ?- ?/g, '-').split(' ').map(toSpan);
        for (const day of WEEK.slice(first, last + 1)) week[day] = [...(week[day] ?? []), ...spans];
      }
      return week;
    }),
  ),
  Hours,
);

/** Whether they are times is for the schema of hours to say. */
function toSpan(text: string): { opens: string; closes: string } {
  const [opens = '', closes = ''] = text.split('-').map((time) => time.padStart(5, '0'));
  return { opens, closes };
}

/** `5:30 pm` → 17:30, wherever it stands. */
const toDayTimes = (text: string): string =>
  text.replaceAll(/\b(1[0-2]|0?[1-9])(?::(\d\d))? ?(am|pm)\b/g, (_, hours, minutes = '00', half) =>
    `${(Number(hours) % 12) + (half === 'pm' ? 12 : 0)}:${minutes}`.padStart(5, '0'),
  );

/** `17:30` → 5:30pm, wherever it stands; midnight at the end of a day stays 24:00. */
const toHalfDayTimes = (text: string): string =>
  text.replaceAll(/([01]\d|2[0-3]):(\d\d)/g, (_, hours, minutes) =>
    `${Number(hours) % 12 || 12}:${minutes}${hours < 12 ? 'am' : 'pm'}`.replace(':00', ''),
  );

/** '' without any. */
export function formatHours(hours: Hours | null): string {
  const groups: { first: Day; last: Day; times: string }[] = [];
  for (const day of WEEK) {
    const times = (hours?.[day] ?? []).map(({ opens, closes }) => `${opens}-${closes}`).join(' ');
    const group = groups.at(-1);
    if (group?.times === times) group.last = day;
    else groups.push({ first: day, last: day, times });
  }
  const parts = groups
    .filter(({ times }) => times !== '')
    .map(({ first, last, times }) => `${[...new Set([first, last])].map(toName).join('-')} ${times}`);
  return toHalfDayTimes(parts.join(', '));
}

const toName = (day: Day): string => day.charAt(0).toUpperCase() + day.slice(1);
