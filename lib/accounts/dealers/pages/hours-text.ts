import * as z from 'zod/mini';
import { capitalize } from '../../../truck/text/text.ts';
import { DAYS, Hours } from '../hours.ts';

/** Opening hours as text, a day or some days on a line: `Mon-Fri 8am-12pm 1pm-5pm`. What is not written so is refused. */

const WEEK = [...DAYS.slice(1), DAYS[0]];
const LINE = /^([a-z]{3})[a-z]*(?: ?- ?([a-z]{3})[a-z]*)?:? (.+)$/;

export const HoursText = z.pipe(
  z.string().check(z.maxLength(500)),
  z.transform((text, { issues }): Hours => {
    const week: Hours = {};
    const lines = text.split(/[,;\n]/).map((line) => line.trim());
    for (const line of lines.filter(Boolean)) {
      const plainLine = toDayTimes(line.toLowerCase().replaceAll('–', '-'));
      const [, from = '', to = from, times = ''] = LINE.exec(plainLine) ?? [];
      const [first, last] = [from, to].map((name) => WEEK.findIndex((day) => day === name));
      const days = WEEK.slice(first, Number(last) + 1);
      const spans = times.replaceAll(/ ?- ?/g, '-').split(' ').map(toSpan);
      for (const day of days) week[day] = [...(week[day] ?? []), ...spans];
      if (days[0] === from && Hours.safeParse(week).success) continue;
      const message = `is not clear at “${line.slice(0, 60)}”: write it like Mon-Fri 8am-12pm 1pm-5pm, Sat 9am-1pm`;
      issues.push({ code: 'custom', message, input: text });
      break;
    }
    return week;
  }),
);

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

/** A day on a line; '' without any. */
export function formatHours(hours: Hours | null): string {
  const lines = WEEK.flatMap((day) => {
    const times = (hours?.[day] ?? []).map(({ opens, closes }) => ` ${opens}-${closes}`).join('');
    return times === '' ? [] : [capitalize(day) + times];
  });
  return toHalfDayTimes(lines.join('\n'));
}
