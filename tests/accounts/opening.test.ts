import { expect, test } from 'vitest';
import { describeOpening, describeReply } from '../../lib/accounts/dealers/opening.ts';

/** What visitors read about when a dealer is there, by the dealer's own clock. */

const ZONE = 'America/Chicago';
const WEEKDAY = [
  { opens: '07:30', closes: '12:00' },
  { opens: '13:00', closes: '18:00' },
];
const HOURS = {
  ...Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, WEEKDAY])),
  closed_on: ['2026-12-25'],
};

const describe = (moment: string, locale: 'en' | 'es' | 'fr' = 'en', hours: object = HOURS) =>
  describeOpening(hours, ZONE, Date.parse(moment), locale).text;

test.each([
  ['2026-11-23T13:30:00Z', 'Open until 12:00 PM CT'],
  ['2026-11-23T18:30:00Z', 'Closed, opens at 1:00 PM CT'],
  ['2026-11-21T15:00:00Z', 'Closed, opens Monday 7:30 AM CT'],
  ['2026-12-25T15:00:00Z', 'Closed, opens Monday 7:30 AM CT'],
  ['2026-07-01T15:00:00Z', 'Open until 12:00 PM CT'],
  ['2026-11-24T00:00:00Z', 'Closed, opens Tuesday 7:30 AM CT'],
])('at %s: %s', (moment, words) => expect(describe(moment)).toBe(words));

test.each([
  ['es', /^Abierto hasta (las )?6:00/, /^Cerrado, abre el lunes a las 7:30/],
  ['fr', /^Ouvert jusqu’à /, /^Fermé, ouvre lundi à /],
] as const)('speaks %s', (locale, open, closed) => {
  expect(describe('2026-11-23T20:00:00Z', locale)).toMatch(open);
  expect(describe('2026-11-21T15:00:00Z', locale)).toMatch(closed);
});

test('a dealer that is open until midnight or beyond is open now', () => {
  const day = [{ opens: '00:00', closes: '24:00' }];
  const night = { mon: [{ opens: '20:00', closes: '24:00' }], tue: [{ opens: '00:00', closes: '04:00' }] };
  expect(describe('2026-11-24T05:00:00Z', 'en', night)).toBe('Open now');
  const always = { mon: day, tue: day };
  expect(describe('2026-11-24T05:00:00Z', 'en', always)).toBe('Open now');
  expect(describe('2026-11-24T05:00:00Z', 'en', {})).toBe('Closed');
  const mondays = { mon: day, closed_on: ['2026-11-30'] };
  expect(describe('2026-11-26T18:00:00Z', 'en', mondays), 'a Monday that is not the next').toBe('Closed');
});

test('a reply time is given in minutes, or in hours from one on', () => {
  const texts = [59, 60, 90].map((minutes) => describeReply(minutes, 'en'));
  expect(texts).toEqual(['59 minutes', '1 hour', '2 hours'].map((time) => `answers in about ${time}`));
});
