import { expect, test } from 'vitest';
import type { Dealer } from '../../lib/accounts/dealers/schemas.ts';
import { formatAdf } from '../../lib/leads/delivery/adf.ts';
import type { Lead } from '../../lib/leads/schemas/leads.ts';
import { readAdf, textAt } from '../support/oracles/adf.ts';
import * as fc from '../support/oracles/fast-check.ts';
import { NO_DETAILS, storedLead } from '../support/samples/leads.ts';

const DEALER: Dealer = {
  ...NO_DETAILS,
  slug: 'lone-star-trucks',
  name: 'Lone Star Trucks',
  phone: '+1 210 555 0142',
  email: 'sales@dealer.example',
  website: 'https://dealer.example',
  lead_email: 'leads@dealer.example',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const LEAD = storedLead({
  dealer: DEALER.slug,
  name: 'Jane Doe',
  email: 'jane@visitor.example',
  phone: '+12105550142',
  message: 'Is it still there?',
  vin: '3AKJHHDR0KSKA1234',
  truck: {
    vin: '3AKJHHDR0KSKA1234',
    year: 2019,
    make: 'Freightliner',
    model: 'Cascadia',
    trim: 'Evolution',
    condition: 'used',
    price: 68_900,
    mileage: 412_350,
    stock_number: 'U10482',
  },
});
const read = (lead: Partial<Lead> = {}, dealer: Partial<Dealer> = {}) =>
  readAdf(formatAdf({ ...LEAD, ...lead }, { ...DEALER, ...dealer }));

test('a lead is ADF 1.0 with customer, truck and dealer where a CRM looks for them', () => {
  const adf = read();
  const facts = {
    'prospect/id': 'lead_1',
    'prospect/requestdate': '2026-01-15T09:30:00+00:00',
    'prospect/vehicle/year': '2019',
    'prospect/vehicle/make': 'Freightliner',
    'prospect/vehicle/model': 'Cascadia',
    'prospect/vehicle/vin': '3AKJHHDR0KSKA1234',
    'prospect/vehicle/stock': 'U10482',
    'prospect/vehicle/odometer': '412350',
    'prospect/vehicle/price': '68900',
    'prospect/customer/contact/name': 'Jane Doe',
    'prospect/customer/contact/email': 'jane@visitor.example',
    'prospect/customer/contact/phone': '+12105550142',
    'prospect/customer/comments': 'Is it still there?',
    'prospect/vendor/vendorname': 'Lone Star Trucks',
    'prospect/vendor/contact/email': 'sales@dealer.example',
  };
  expect(Object.fromEntries(Object.keys(facts).map((path) => [path, textAt(adf, path)]))).toEqual(facts);
});

test.each<[Lead['intent'], Record<string, string>, Record<string, string>]>([
  [
    'finance',
    { down_payment: '5000' },
    { 'vehicle/finance/method': 'finance', 'vehicle/finance/amount': '5000' },
  ],
  [
    'finance',
    { credit: 'good' },
    { 'customer/comments': 'Is it still there?\n\nRequest: Financing\n\nCredit, as you see it: Good' },
  ],
  [
    'best_price',
    { offer: '61000' },
    { 'vehicle/price': '61000', 'vehicle/pricecomments': 'Asking price 68900 USD' },
  ],
  [
    'appointment',
    { date: '2026-11-30', time: 'morning' },
    {
      'customer/timeframe/description': 'Appointment 2026-11-30 morning',
      'customer/timeframe/earliestdate': '2026-11-30',
    },
  ],
  ['transport', { date: '2026-11-30' }, { 'customer/timeframe/latestdate': '2026-11-30' }],
])('%s with %j stands in ADF’s own elements', (intent, details, texts) => {
  const adf = read({ intent, details });
  for (const [path, text] of Object.entries(texts)) expect(textAt(adf, `prospect/${path}`)).toBe(text);
});

test('a truck to trade in is a vehicle of its own', () => {
  const trade = {
    year: '2015',
    make: 'Peterbilt',
    model: '389',
    vin: '1XPXD49X0FD000000',
    mileage: '812000',
  };
  const details = { ...trade, condition: 'Runs' };
  const vehicles = read({ intent: 'trade_in', details }).children[0]?.children.filter(
    ({ name }) => name === 'vehicle',
  );
  const children = Object.values(details).map((text) => ({ text }));
  expect(vehicles).toMatchObject([
    { attributes: { interest: 'buy', status: 'used' } },
    { attributes: { interest: 'trade-in' }, children },
  ]);
});

test.each<[string, Partial<Lead>, Partial<Dealer>]>([
  ['about no truck', { vin: null, truck: null }, {}],
  ['with an e-mail only', { phone: null, name: null }, {}],
  ['with a phone only', { email: null, name: null }, {}],
  ['for a dealer of whom little is known', {}, { phone: null, email: null, website: null, lead_email: null }],
  ['about a truck of unknown condition', { truck: LEAD.truck && { ...LEAD.truck, condition: null } }, {}],
])('a lead %s keeps to ADF', (_, lead, dealer) => {
  const adf = read(lead, dealer);
  expect(textAt(adf, 'prospect/customer/contact/name')).not.toBe('');
  const vehicle = adf.children[0]?.children.find(({ name }) => name === 'vehicle');
  const condition = lead.truck === undefined ? 'used' : undefined;
  expect(vehicle?.attributes.status, 'what nobody knows is not said').toBe(condition);
});

test('signs of spam, consent and conversation stand in the comments', () => {
  const at = '2026-01-15T09:30:00.000Z';
  const page = 'https://dealer.example/x';
  const adf = read({
    suspicious: true,
    spam_signals: ['honeypot', 'bot'],
    consent: { text: 'Call me', sha256: '', page, at, ip: '', user_agent: null },
    transcript: (['visitor', 'assistant'] as const).map((role) => ({ role, text: 'Hello', at })),
  });
  for (const part of ['honeypot, bot', 'Call me', page, 'Visitor: Hello\nAssistant: Hello'])
    expect(textAt(adf, 'prospect/customer/comments')).toContain(part);
});

test('whatever a visitor writes is text: it breaks out of no element and comes back as written', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      ']]></comments><vendor>',
      '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
      '&#0;',
      '--><x/>',
      '\u0000\ufffe\ud800',
    ),
  );
  fc.assert(
    fc.property(nasty, nasty, (name, message) => {
      const adf = read({ name: `n${name}`, message: `m${message}` });
      const keepText = (text: string) =>
        text
          .toWellFormed()
          .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
          .replace(/\r\n?/g, '\n');
      expect(textAt(adf, 'prospect/customer/contact/name')).toBe(keepText(`n${name}`));
      expect(textAt(adf, 'prospect/customer/comments')).toBe(keepText(`m${message}`));
    }),
    { numRuns: 200 },
  );
});

test.each<[string, RegExp, string]>([
  ['an element out of order', /<vin>.*<\/vin>(.*<\/stock>)/s, '$1<vin>1</vin>'],
  ['an invented attribute value', /interest="buy"/, 'interest="maybe"'],
  ['a raw ampersand', /Jane Doe/, 'Jane & Doe'],
])('the judge of these tests finds %s', (_, from, to) => {
  const xml = formatAdf(LEAD, DEALER);
  expect(() => readAdf(xml)).not.toThrow();
  expect(() => readAdf(xml.replace(from, to))).toThrow();
});
