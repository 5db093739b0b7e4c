import { describe, expect, test } from 'vitest';
import { maskPersonalNumbers } from '../../lib/leads/mask-personal-numbers.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';

const GAPS = [
  ...'-‐‑‒–—―−﹣－. ·•・．/_',
  '\u00a0',
  '\u2009',
  '\u202f',
  '\u3000',
  '\u200b',
  '\u2060',
  '\ufeff',
  ' - ',
];

describe.each(GAPS)('with %j between its groups', (gap) => {
  test.each([
    ['a social security number', ['123', '45', '6789']],
    ['a Visa', ['4111', '1111', '1111', '1111']],
    ['an American Express', ['3782', '822463', '10005']],
    ['a card of 19 digits', ['6304', '1234', '5678', '9012', '347']],
  ])('%s is masked', (_, groups) => {
    const masked = maskPersonalNumbers(`it is ${groups.join(gap)}, 12/27 123`);
    expect(masked).toMatch(/^it is [* -]+, 12\/27 123$/);
  });
});

test.each([
  ['SSN123-45-6789', 'SSN***-**-****'],
  ['１２３-４５-６７８９', '***-**-****'],
  ['cc4111111111111111exp 12/27', 'cc**** **** **** ****exp 12/27'],
  ['41111111-11111111', '**** **** **** ****'],
  ['SS# 12345 6789', 'SS# *********'],
  ['my social: 123456789', 'my social: *********'],
])('however people squeeze or part it: %s', (text, masked) => expect(maskPersonalNumbers(text)).toBe(masked));

test.each([
  REAL_TRUCK_VINS.map(([vin]) => vin).join(', '),
  '210-555-0142, (210) 555-0142, 210.555.0142, 2105550142, 1 210 555 0142, +12105550142, +5218112345678',
  '$54,900, 412000 mi, 2019 123456 12345, TRK-1234567, 78501-1234, 10/12/2026',
  '2016 2017 2018 2019, 2016-2017-2018-2019, call me on social 210 555 0142',
])('left as written: %s', (text) => expect(maskPersonalNumbers(text)).toBe(text));
