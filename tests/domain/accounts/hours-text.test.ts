import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAYS } from '../../../lib/accounts/dealers/hours.ts';
import { formatHours, readHours, type Week } from '../../../lib/accounts/dealers/profile/hours-text.ts';

/** Opening hours as people write them. */

const read = (text: string) => {
  const { week, unclear } = readHours(text);
  return unclear.length > 0 ? unclear : formatHours(week);
};

test.each([
  ['Mon-Fri 8-5, Sat 9-1', 'Mon-Fri 8am-5pm, Sat 9am-1pm'],
  ['Monday to Friday: 7:30 am - 6 p.m.; Saturday 8–noon', 'Mon-Fri 7:30am-6pm, Sat 8am-12pm'],
  ['Mon, Wed & Fri 8-12, 1-5', 'Mon 8am-12pm, 1pm-5pm, Wed 8am-12pm, 1pm-5pm, Fri 8am-12pm, 1pm-5pm'],
  ['weekdays 08:00-18:00\nSat 9-3 and Sun closed', 'Mon-Fri 8am-6pm, Sat 9am-3pm'],
  ['Daily 6am-midnight', 'Mon-Sun 6am-midnight'],
  ['Sat-Mon 10-2pm', 'Mon 10am-2pm, Sat-Sun 10am-2pm'],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each(['8-5', 'Mon 5pm-8am', 'Foo 8-5', 'Mon-Wed-Fri 8-5'])('not understood: %s', (text) => {
  expect(readHours(text).unclear).not.toEqual([]);
});

test('what is shown is read as what is stored', () => {
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const spans = fc
    .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { minLength: 2, maxLength: 6 })
    .map((times) => times.slice(0, times.length - (times.length % 2)).toSorted((a, b) => a - b))
    .map((times) =>
      times.flatMap((opens, at) =>
        at % 2 === 0 ? [{ opens: clock(opens), closes: clock(times[at + 1] ?? 0) }] : [],
      ),
    );
  const week = fc
    .subarray([...DAYS])
    .chain((days) => fc.tuple(...days.map((day) => spans.map((some) => [day, some] as const))))
    .map((entries): Week => Object.fromEntries(entries));
  fc.assert(
    fc.property(week, (stored) => {
      expect(readHours(formatHours(stored))).toEqual({ week: stored, unclear: [] });
    }),
  );
});
