import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAYS, Hours } from '../../lib/accounts/dealers/hours.ts';
import { formatHours, HoursText } from '../../lib/accounts/dealers/pages/hours-text.ts';

/** Opening hours as text. */

test.each([
  ['Mon-Tue 8am-5pm, Sat 9am-1pm', 'Mon 8am-5pm\nTue 8am-5pm\nSat 9am-1pm'],
  ['monday – tuesday: 7:30 am - 6 pm; Sat 8:00-12:00', 'Mon 7:30am-6pm\nTue 7:30am-6pm\nSat 8am-12pm'],
  ['Mon 8am-12pm 1pm-5pm\nTue 13:00-24:00', 'Mon 8am-12pm 1pm-5pm\nTue 1pm-24:00'],
])('%s', (text, expected) => {
  expect(formatHours(HoursText.parse(text))).toBe(expected);
});

test.each([
  '8am-5pm',
  'Mon 5pm-8am',
  'Foo 8am-5pm',
  'Mon-Wed-Fri 8am-5pm',
  'Mon 8-5',
  'Mon 13pm-14pm',
  'Mon',
])('refused: %s', (text) => {
  const [issue] = HoursText.safeParse(text).error?.issues ?? [];
  expect(issue?.message).toBe(
    `is not clear at “${text}”: write it like Mon-Fri 8am-12pm 1pm-5pm, Sat 9am-1pm`,
  );
});

const SPAN = { opens: '07:30', closes: '18:00' };

test.each([
  'Mon-Fri 8am-5pm',
  { monday: [] },
  { mon: SPAN },
  { mon: [{ ...SPAN, opens: '7:30' }] },
  { mon: [{ ...SPAN, closes: '07:00' }] },
  { mon: [SPAN, SPAN] },
])('the refusal of %j shows hours as they are written', (value) => {
  const [issue] = Hours.safeParse(value).error?.issues ?? [];
  const example = /{.*}/.exec(issue?.message ?? '')?.[0] ?? '';
  expect(Hours.parse(JSON.parse(example))).toHaveProperty('mon');
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
    .map((entries): Hours => Object.fromEntries(entries));
  fc.assert(
    fc.property(week, (hours) => {
      expect(HoursText.parse(formatHours(hours))).toEqual(hours);
    }),
  );
});
