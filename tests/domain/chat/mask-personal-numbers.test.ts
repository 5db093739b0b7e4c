import { describe, expect, test } from 'vitest';
import { maskPersonalNumbers } from '../../../lib/domain/chat/mask-personal-numbers.ts';
import { REAL_TRUCK_VINS } from '../../fixtures/real-truck-vins.ts';

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
    ['a Mastercard', ['5555', '5555', '5555', '4444']],
    ['an American Express', ['3782', '822463', '10005']],
    ['a Diners Club', ['3056', '930902', '5904']],
    ['a card of 19 digits', ['6304', '1234', '5678', '9012', '347']],
  ])('%s is masked', (_, groups) => {
    const masked = maskPersonalNumbers(`it is ${groups.join(gap)}, 12/27 123`);
    expect(masked).toMatch(/^it is [* -]+, 12\/27 123$/);
  });
});

test.each(['4222222222222', '378282246310005', '4111111111111111', '6304123456789012347'])(
  'a card without gaps is masked: %s',
  (number) => expect(maskPersonalNumbers(`card:${number}.`)).toBe('card:**** **** **** ****.'),
);

test('what follows a card does not hide it', () => {
  expect(maskPersonalNumbers('4111 1111 1111 1111 123')).toBe('**** **** **** **** 123');
});

test.each([
  ['SSN123-45-6789', 'SSN***-**-****'],
  ['123-45-6789and a co-signer', '***-**-****and a co-signer'],
  ['123  -  45  -  6789', '***-**-****'],
  ['123\u279645\u27966789', '***-**-****'],
  ['１２３-４５-６７８９', '***-**-****'],
  ['cc4111111111111111exp 12/27', 'cc**** **** **** ****exp 12/27'],
  ['4111 11111111 1111', '**** **** **** ****'],
  ['41111111-11111111', '**** **** **** ****'],
  ['４１１１ １１１１ １１１１ １１１１', '**** **** **** ****'],
  ['SSN123456789', 'SSN*********'],
  ['ssn is 123 456 789', 'ssn is *********'],
  ['SS# 12345 6789', 'SS# *********'],
  ['my social: 123456789', 'my social: *********'],
  ['soc. sec. no. 123-456-789', 'soc. sec. no. *********'],
])('however people squeeze or part it: %s', (text, masked) => expect(maskPersonalNumbers(text)).toBe(masked));

test('nine digits in a row are masked where words say what they are', () => {
  expect(maskPersonalNumbers('My SSN is 123456789. Stock 123456789')).toBe(
    'My SSN is *********. Stock 123456789',
  );
});

test.each([
  REAL_TRUCK_VINS.map(([vin]) => vin).join(', '),
  '210-555-0142, (210) 555-0142, 210.555.0142, 2105550142, 1 210 555 0142, +12105550142, +5218112345678',
  '$54,900, 412000 mi, 2019 123456 12345, TRK-1234567, 78501-1234, 10/12/2026',
  '2016 2017 2018 2019, 2016-2017-2018-2019, call me on social 210 555 0142',
])('left as written: %s', (text) => expect(maskPersonalNumbers(text)).toBe(text));
