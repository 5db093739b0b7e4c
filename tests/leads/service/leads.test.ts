import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { INTENTS } from '../../../lib/leads/schemas/intents.ts';
import { goodTruck } from '../../support/service/service.ts';
import { account, dealer, findLead, leave, newDealer, service, uniqueVisitor } from './visitor.ts';

describe('a lead', () => {
  test('is stored as sent: phone in E.164, blanks as nothing, VIN in upper case', async () => {
    const captured = await leave({
      name: ' Jane Doe ',
      email: '',
      phone: '(210) 555-0142',
      vin: '3akjhhdr-0ksk-a1234',
      visitorId: 'v-é-1',
      message: ' Is it\nstill there? ',
    });
    expect(captured.body).toEqual({
      leadId: expect.stringMatching(/^lead_[0-9a-f]{28}$/),
      conversationId: expect.stringMatching(/^conv_[0-9a-f]{24}$/),
    });
    expect(await findLead(captured)).toMatchObject({
      id: captured.body.leadId,
      conversation_id: captured.body.conversationId,
      visitor_id: 'v-é-1',
      dealer,
      name: 'Jane Doe',
      email: null,
      phone: '+12105550142',
      message: 'Is it\nstill there?',
      vin: '3AKJHHDR0KSKA1234',
      status: 'new',
      suspicious: false,
      spam_signals: [],
    });
  });

  test('about a truck of the dealer keeps the truck as it was; an unknown VIN is a warning', async () => {
    const truck = goodTruck({ dealer, stock_number: 'U1' });
    await account.post(truck);
    const captured = await leave({ vin: truck.vin });
    await account.patch({ vin: truck.vin, status: 'sold' });
    const { vin, year, make, price, stock_number } = truck;
    const vehicle = { vin, year, make, price, stock_number, trim: null };
    expect(await findLead(captured)).toMatchObject({ truck: vehicle, warnings: [] });
    const elsewhere = goodTruck({ dealer: await newDealer() });
    await account.post(elsewhere);
    const warnings = [{ code: 'VIN_UNKNOWN', field: 'vin' }];
    for (const vin of ['not a vin', elsewhere.vin])
      expect(await findLead(await leave({ vin }))).toMatchObject({ truck: null, warnings });
  });

  test('keeps what was agreed to with hash, time, page, address and agent', async () => {
    const text = 'You may call me about this truck. ✓';
    const page = 'https://dealer.example/trucks/U1';
    const enquiry = { message: 'Hi', dealerSlug: dealer, visitorId: uniqueVisitor(), phone: '+442079460018' };
    const captured = await service.call('POST', '/v1/widget/lead', {
      token: account.key,
      ip: '2001:db8::7',
      headers: { 'user-agent': 'Browser/1.0' },
      json: { ...enquiry, consent: { text, page } },
    });
    expect((await findLead(captured)).consent).toEqual({
      text,
      page,
      origin: null,
      sha256: hash('sha256', text),
      at: expect.any(String),
      ip: '2001:db8::7',
      user_agent: 'Browser/1.0',
    });
    const unsaid = await findLead(await leave({ consent: true }));
    expect(unsaid.consent).toMatchObject({ text: null, sha256: null });
    expect((await findLead(await leave({ consent: false }))).consent).toBeNull();
  });

  test.each<[field: string, lead: Record<string, unknown>]>([
    ['email', { email: undefined }],
    ['email', { email: null, phone: '   ' }],
    ['email', { email: 'jane@' }],
    ['email', { email: 7, phone: '2105550142' }],
    ['phone', { phone: '12345', email: undefined }],
    ['name', { name: 'x'.repeat(121) }],
    ['name', { name: 'a\u0000b' }],
    ['conversationId', { conversationId: '\ud800' }],
    ['consent', { consent: { text: 'Yes', page: 'javascript:alert(1)' } }],
    ['intent', { intent: 'gift' }],
    ['details.make', { intent: 'trade_in', details: { model: '389', year: '2015' } }],
    ['details.credit', { intent: 'finance', details: { credit: 'superb' } }],
    ['details.date', { intent: 'appointment', details: { date: '2026-02-30' } }],
  ])('with a %s that is none is INVALID_PARAMS with the field: %j', async (field, lead) => {
    const { status, body } = await leave(lead);
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(body.error.details.field).toMatch(new RegExp(`^${field}(\\.|$)`));
  });

  test('without message, dealerSlug or visitorId, or with one that is no text, is INVALID_BODY', async () => {
    const cases = ['message', 'dealerSlug', 'visitorId'].flatMap((field) =>
      [undefined, '', 7, 'x'.repeat(2_001)].map((value) => ({ [field]: value })),
    );
    for (const text of ['a\u0000b', '\ud800']) cases.push({ message: text }, { visitorId: text });
    for (const change of cases) {
      const { status, body } = await leave(change);
      expect([status, body.error.code]).toEqual([400, 'INVALID_BODY']);
      expect(change).toHaveProperty(body.error.details.field);
    }
    expect((await leave({ message: '  ' })).body.error.code).toBe('INVALID_BODY');
  });

  test.each([
    [{ phone: '(555) 555-0100' }, { phone: null, message: 'Hi\n\n(Phone as written: (555) 555-0100)' }],
    [
      { phone: '210-555-0142', email: 'jane@' },
      { phone: '+12105550142', email: null, message: 'Hi\n\n(Email as written: jane@)' },
    ],
    [{ phone: '210-555-0142 ext. 12' }, { phone: '+12105550142', message: 'Hi\n\n(Phone extension 12)' }],
  ])('keeps in its message what of %j cannot be read', async (contact, text) => {
    expect(await findLead(await leave({ message: 'Hi', ...contact }))).toMatchObject(text);
  });
});

describe('what a visitor asks for', () => {
  test('is described in three languages, and no form asks for a social security number', async () => {
    const read = async (locale: string) =>
      (await account.call('GET', `/v1/widget/forms?dealerSlug=${dealer}&visitorId=v&locale=${locale}`)).body;
    const { forms } = await read('en');
    expect(forms.map(({ intent }: { intent: string }) => intent)).toEqual(INTENTS);
    expect(JSON.stringify(forms)).not.toMatch(/social|ssn/i);
    expect((await read('es-MX')).forms[2].name).toBe('Financiamiento');
    expect((await read('fr')).marketing.text).toContain('STOP');
  });

  test('is kept with its details, and the words of the box for text messages as evidence', async () => {
    const marketing = { text: 'Text me offers, too.', page: 'https://dealer.example/' };
    const trade = { make: 'Peterbilt', model: '389', year: '2015', mileage: '812,000', unknown: 'x' };
    const lead = await findLead(await leave({ intent: 'trade_in', details: trade, marketing }));
    expect(lead).toMatchObject({ intent: 'trade_in', marketing });
    expect(lead.marketing.sha256).toBe(hash('sha256', marketing.text));
    expect(lead.details).toEqual({ make: 'Peterbilt', model: '389', year: '2015', mileage: '812000' });
    expect(await findLead(await leave())).toMatchObject({ intent: null, details: {}, marketing: null });
  });

  test('social security and card numbers that a visitor writes all the same are not kept', async () => {
    const lead = await findLead(
      await leave({
        name: 'Jane 123·45·6789',
        message: 'My SSN is 123–45–6789, my card 4111.1111.1111.1111.',
        intent: 'trade_in',
        details: { make: '123 45 6789', model: 'x', year: '2015' },
      }),
    );
    expect(JSON.stringify(lead)).not.toMatch(/6789|1111/);
  });
});
