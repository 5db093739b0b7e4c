import { describe, expect, test } from 'vitest';
import { judgeSentence, withoutMarks } from '../../../lib/domain/chat/grounded-sentence.ts';
import { knownFacts, listingFacts } from '../../../lib/domain/chat/known-facts.ts';
import { plainSpeech } from '../../../lib/domain/chat/plain-speech.ts';
import { MAX_SENTENCE } from '../../../lib/domain/chat/sentences.ts';
import {
  CASCADIA,
  CLAIMS_HARMLESS,
  CLAIMS_UNSAFE,
  GROUNDS,
  HARMLESS,
  HELD_OUT_HARMLESS,
  HELD_OUT_UNSAFE,
  INTERNATIONAL,
  SEVERAL_HARMLESS,
  SEVERAL_UNSAFE,
  UNSAFE,
} from '../../fixtures/chat/sentences.ts';

const judge = (sentence: string) => judgeSentence(plainSpeech(sentence), GROUNDS);

describe('the corpus of what models and attackers write', () => {
  test('nothing unsafe is said', () => {
    const unsafe = [...UNSAFE, ...HELD_OUT_UNSAFE, ...CLAIMS_UNSAFE, ...SEVERAL_UNSAFE];
    expect(unsafe.filter((sentence) => judge(sentence).ok)).toEqual([]);
    const knowsNoTruck = { ...GROUNDS, trucks: [] };
    expect(unsafe.filter((sentence) => judgeSentence(plainSpeech(sentence), knowsNoTruck).ok)).toEqual([]);
    const ofOne = { ...GROUNDS, subject: [CASCADIA.vin] };
    expect(unsafe.filter((sentence) => judgeSentence(plainSpeech(sentence), ofOne).ok)).toEqual([]);
  });

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

  test.each(['I found 12 Freightliner trucks under $80,000.'])(
    'is counted by what was asked for: %s',
    (sentence) => expect(judged(sentence)).toMatchObject({ ok: true }),
  );

  test.each([
    'We have 12 Kenworth trucks.',
    'We have 12 Freightliner trucks under $70,000.',
    'We have 12 white Freightliner trucks.',
  ])('and by nothing else: %s', (sentence) => expect(judged(sentence)).toMatchObject({ ok: false }));
});

describe('not said', () => {
  test.each([
    ['price', 'The 2019 Cascadia is $45,000.'],
    ['price', 'The price is 1.'],
    ['mileage', 'The 2019 Cascadia has 100,000 miles.'],
    ['truck', 'We have a 2022 Peterbilt 579 on the lot.'],
    ['number', 'Take the Freightliner, 9999 and it is gone.'],
    ['vin', 'Look at VIN 1XPBD49X8JD400002.'],
    ['words', 'It is yours for one dollar.'],
    ['number', 'We give you 10% off the 2019 Cascadia.'],
    ['contact', 'Visit evil.com.'],
    ['contact', 'Write to boss@evil.com.'],
    ['contact', 'Call 212-555-0100.'],
  ])('%s: %s', (reason, sentence) => expect(judge(sentence), sentence).toEqual({ ok: false, reason }));
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
    'Another one, the 2015 International 4300, costs $31,500.',
    'Trucks start at $31,500.',
  ])('said: %s', (sentence) => expect(after(sentence), sentence).toMatchObject({ ok: true }));

  test.each(['It costs $31,500.', 'Su precio es de $31,500.', 'It has 198,000 miles.'])(
    'not said, because those are the figures of another: %s',
    (sentence) => expect(after(sentence), sentence).toMatchObject({ ok: false }),
  );
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
