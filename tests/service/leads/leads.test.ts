import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { type Answer, goodTruck, startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

const service = await startService();
const account = await service.newAccount();
const dealer = await newDealer();

async function newDealer(change: Record<string, unknown> = {}): Promise<string> {
  const slug = uniqueSlug();
  const saved = await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks', ...change });
  expect(saved.status, saved.text).toBe(201);
  return slug;
}

let visitors = 0;
const uniqueVisitor = () => `visitor-${++visitors}`;
const leave = (lead: Record<string, unknown> = {}): Promise<Answer> =>
  account.call('POST', '/v1/widget/lead', {
    message: 'Is it still there?',
    dealerSlug: dealer,
    visitorId: uniqueVisitor(),
    email: 'jane@visitor.example',
    ...lead,
  });
const listLeads = async (slug = dealer, query = '') =>
  (await account.call('GET', `/v1/leads?dealer=${slug}${query}`)).body.leads;
const findLead = async (captured: Answer) => {
  expect(captured.status, captured.text).toBe(201);
  const found = (await listLeads()).find(({ id }: { id: string }) => id === captured.body.leadId);
  if (!found) throw new Error('the lead is not in the list');
  return found;
};

describe('a lead', () => {
  test('is stored as sent: phone in E.164, blanks as nothing, VIN in upper case', async () => {
    const captured = await leave({
      ...{ name: ' Jane Doe ', email: '', phone: '(210) 555-0142', vin: '3akjhhdr-0ksk-a1234' },
      ...{ visitorId: 'v-é-1', message: ' Is it\nstill there? ' },
    });
    expect(captured.body).toEqual({
      leadId: expect.stringMatching(/^lead_[0-9a-f]{28}$/),
      conversationId: expect.stringMatching(/^conv_[0-9a-f]{24}$/),
    });
    expect(await findLead(captured)).toMatchObject({
      ...{
        id: captured.body.leadId,
        conversation_id: captured.body.conversationId,
        visitor_id: 'v-é-1',
        dealer,
      },
      ...{ name: 'Jane Doe', email: null, phone: '+12105550142', message: 'Is it\nstill there?' },
      ...{ vin: '3AKJHHDR0KSKA1234', status: 'new', suspicious: false, doubts: [], consent: null },
      ...{ transcript: [], delivery: [] },
    });
  });

  test('about a truck of the dealer keeps the truck as it was; an unknown VIN is a warning', async () => {
    const truck = goodTruck({ dealer, stock_number: 'U1', condition: 'used' });
    await account.call('POST', '/v1/inventory', truck);
    const known = await findLead(await leave({ vin: truck.vin }));
    await account.call('PATCH', '/v1/inventory', { vin: truck.vin, status: 'sold' });
    expect(known).toMatchObject({
      truck: {
        vin: truck.vin,
        year: 2019,
        make: 'Freightliner',
        price: 68_900,
        stock_number: 'U1',
        trim: null,
      },
      warnings: [],
    });
    const elsewhere = goodTruck({ dealer: await newDealer() });
    await account.call('POST', '/v1/inventory', elsewhere);
    for (const vin of ['1FUJGLDR0HZZZZZZZ', 'not a vin', elsewhere.vin])
      expect(await findLead(await leave({ vin }))).toMatchObject({
        truck: null,
        warnings: [{ code: 'VIN_UNKNOWN', field: 'vin' }],
      });
  });

  test('keeps what was agreed to with hash, time, page, address and agent', async () => {
    const text = 'You may call me about this truck. ✓';
    const page = 'https://dealer.example/trucks/U1';
    const captured = await service.call('POST', '/v1/widget/lead', {
      token: account.key,
      ip: '2001:db8::7',
      headers: { 'user-agent': 'Browser/1.0' },
      json: {
        ...{ message: 'Hi', dealerSlug: dealer, visitorId: uniqueVisitor(), phone: '+442079460018' },
        consent: { text, page },
      },
    });
    const { consent } = await findLead(captured);
    expect(consent).toEqual({
      ...{ text, page, sha256: createHash('sha256').update(text).digest('hex') },
      ...{ at: expect.any(String), ip: '2001:db8::7', user_agent: 'Browser/1.0' },
    });
    expect((await findLead(await leave({ consent: true }))).consent).toMatchObject({
      text: null,
      sha256: null,
    });
    expect((await findLead(await leave({ consent: false }))).consent).toBeNull();
  });

  test('without a way to answer, or with one that is none, is INVALID_PARAMS with the field', async () => {
    const wrong: [field: string, lead: Record<string, unknown>][] = [
      ['email', { email: undefined }],
      ['email', { email: null, phone: '   ' }],
      ['email', { email: 'jane@' }],
      ['email', { email: 7, phone: '2105550142' }],
      ['email', { email: `${'x'.repeat(250)}@visitor.example` }],
      ['phone', { phone: '12345' }],
      ['phone', { phone: 'call me' }],
      ['phone', { phone: '+1 210 555 0142 '.repeat(10) }],
      ['name', { name: 'x'.repeat(121) }],
      ['name', { name: 'a\u0000b' }],
      ['name', { name: { first: 'Jane' } }],
      ['vin', { vin: 'x'.repeat(41) }],
      ['conversationId', { conversationId: '\ud800' }],
      ['consent.page', { consent: { text: 'Yes', page: 'javascript:alert(1)' } }],
      ['consent.text', { consent: { text: 'x'.repeat(2_001) } }],
    ];
    for (const [field, lead] of wrong) {
      const refused = await leave(lead);
      expect([refused.status, refused.body.error.code], JSON.stringify(lead)).toEqual([
        400,
        'INVALID_PARAMS',
      ]);
      expect(refused.body.error.details.field.split('.')[0], refused.text).toBe(field.split('.')[0]);
    }
  });

  test('without message, dealerSlug or visitorId, or with one that is no text, is INVALID_BODY', async () => {
    for (const field of ['message', 'dealerSlug', 'visitorId'])
      for (const value of [undefined, null, '', '  ', 7, 'x'.repeat(2_001), 'a\u0000b', '\ud800']) {
        if (field === 'dealerSlug' && typeof value === 'string' && value !== '' && value.length < 100)
          continue;
        const refused = await leave({ [field]: value });
        expect([refused.status, refused.body.error.code], `${field} ${value}`).toEqual([400, 'INVALID_BODY']);
        expect(refused.body.error.details.field).toBe(field);
      }
  });

  test('a phone extension is not lost', async () => {
    const lead = await findLead(await leave({ phone: '210-555-0142 ext. 12', message: 'Call me' }));
    expect(lead).toMatchObject({ phone: '+12105550142', message: 'Call me\n\n(Phone extension 12)' });
  });
});

describe('a conversation', () => {
  test('gives one lead: the same enquiry again is 409 and changes nothing, with or without naming it', async () => {
    const visitorId = uniqueVisitor();
    const enquiry = { visitorId, name: 'First', phone: '2105550142', vin: '3AKJHHDR0KSKA1234' };
    const first = await leave(enquiry);
    const before = await findLead(first);
    const { conversationId } = first.body;
    const again = [
      {},
      { conversationId },
      { conversationId: 'conv_of_somebody_else' },
      { name: '', vin: null },
    ];
    for (const change of again) {
      const refused = await leave({ ...enquiry, ...change });
      expect([refused.status, refused.body.error.code]).toEqual([409, 'ALREADY_CAPTURED']);
      expect(refused.body.error.details).toMatchObject({ conversationId });
    }
    expect(await findLead(first)).toEqual(before);
  });

  test('takes another enquiry as an update of its lead, which is new again; no word is lost', async () => {
    const visitorId = uniqueVisitor();
    const truck = goodTruck({ dealer });
    await account.call('POST', '/v1/inventory', truck);
    const first = await leave({ visitorId });
    const conversations = service.ports.conversations.of(account.id);
    await conversations.append(first.body.conversationId, [{ role: 'visitor', text: 'One more', vins: [] }]);
    await account.call('PATCH', `/v1/leads/${first.body.leadId}`, { status: 'closed' });
    const changes = [
      { message: 'And this one?', vin: truck.vin },
      { email: 'work@visitor.example' },
      { phone: '(210) 555-0199' },
      { name: 'Jane Doe' },
      { consent: { text: 'You may call me.' } },
    ];
    for (const change of changes) {
      const added = await leave({ visitorId, ...change });
      expect([added.status, added.body]).toEqual([200, first.body]);
      const repeated = await leave({ visitorId, ...change });
      expect([repeated.status, repeated.body.error.code]).toEqual([409, 'ALREADY_CAPTURED']);
    }
    const lead = await findLead(first);
    expect(lead).toMatchObject({ status: 'new', message: 'Is it still there?', transcript: [] });
    expect(lead.updates).toMatchObject([
      { n: 1, message: 'And this one?', truck: { vin: truck.vin }, transcript: [{ text: 'One more' }] },
      { n: 2, email: 'work@visitor.example', transcript: [] },
      { n: 3, phone: '+12105550199' },
      { n: 4, name: 'Jane Doe' },
      { n: 5, consent: { text: 'You may call me.' } },
    ]);
    expect(lead.updated_at > lead.created_at).toBe(true);
    const later = await account.call('GET', `/v1/leads?updated_since=${lead.updated_at}`);
    expect(later.body.leads.map(({ id }: { id: string }) => id)).toContain(lead.id);
  });

  test('of another person on the same browser is a lead of its own, with what was said since', async () => {
    const visitorId = uniqueVisitor();
    const ann = { visitorId, name: 'Ann Lee', email: 'ann@visitor.example' };
    const first = await leave({ ...ann, phone: '2105550160' });
    const { conversationId } = first.body;
    const conversations = service.ports.conversations.of(account.id);
    await conversations.append(conversationId, [{ role: 'visitor', text: 'Bob here', vins: [] }]);
    const bob = { visitorId, name: 'Bob Ray', email: 'bob@visitor.example', phone: '2105550161' };
    const second = await leave({ ...bob, conversationId });
    expect(second.status).toBe(201);
    expect(await findLead(second)).toMatchObject({ name: 'Bob Ray', transcript: [{ text: 'Bob here' }] });
    expect(await findLead(first)).toMatchObject({ name: 'Ann Lee', updates: [] });
    expect((await leave({ ...bob, conversationId: second.body.conversationId })).status).toBe(409);
    // One that shares the phone, or gives no name, is the same household: an update.
    expect((await leave({ ...ann, name: 'Al Lee', phone: bob.phone, message: 'Us' })).status).toBe(200);
  });

  test('whose lead has its fill of updates is over: the next enquiry is a lead of its own', async () => {
    const visitorId = uniqueVisitor();
    const first = await leave({ visitorId });
    const { conversationId } = first.body;
    for (let n = 1; n <= 50; n += 1)
      expect((await leave({ visitorId, message: `${n}`, conversationId })).status).toBe(200);
    const next = await leave({ visitorId, message: 'One too many', conversationId });
    expect(next.status).toBe(201);
    expect((await findLead(next)).message).toBe('One too many');
    expect((await findLead(first)).updates).toHaveLength(50);
  });

  test('gives exactly one lead to 24 posts at the same time', async () => {
    const visitorId = uniqueVisitor();
    const answers = await Promise.all(Array.from({ length: 24 }, () => leave({ visitorId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(23).fill(409)]);
    const mine = (await listLeads(dealer, '&limit=200')).filter(
      (lead: { visitor_id: string }) => lead.visitor_id === visitorId,
    );
    expect(mine).toHaveLength(1);
  });

  test('gives exactly one lead to 24 posts at the same time that name it, too', async () => {
    const visitorId = uniqueVisitor();
    const conversations = service.ports.conversations.of(account.id);
    const visit = { dealer, visitorId, conversationId: null };
    const { id: conversationId } = await conversations.enter(visit, `conv_n_${visitorId}`);
    const answers = await Promise.all(Array.from({ length: 24 }, () => leave({ visitorId, conversationId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(23).fill(409)]);
  });

  test('belongs to its visitor and dealer: another’s is as good as none', async () => {
    const first = await leave();
    const { conversationId } = first.body;
    const other = await leave({ conversationId });
    expect(other.status).toBe(201);
    expect(other.body.conversationId).not.toBe(conversationId);
    const visitorId = (await findLead(first)).visitor_id;
    const elsewhere = await leave({ conversationId, visitorId, dealerSlug: await newDealer() });
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.body.conversationId).not.toBe(conversationId);
  });

  test('is handed on with the lead as its transcript', async () => {
    const visitorId = uniqueVisitor();
    const conversations = service.ports.conversations.of(account.id);
    const visit = { dealer, visitorId, conversationId: null };
    const { id } = await conversations.enter(visit, `conv_t_${visitorId}`);
    await conversations.append(id, [{ role: 'visitor', text: 'Hello', vins: [] }]);
    await conversations.append(id, [{ role: 'assistant', text: 'Hi', vins: ['3AKJHHDR0KSKA1234'] }]);
    const captured = await leave({ visitorId });
    expect(captured.body.conversationId).toBe(id);
    expect((await findLead(captured)).transcript).toEqual([
      { role: 'visitor', text: 'Hello', at: expect.any(String) },
      { role: 'assistant', text: 'Hi', at: expect.any(String) },
    ]);
    expect(await conversations.enter(visit, 'conv_unused')).toEqual({ id, leadId: captured.body.leadId });
  });

  test('that nobody touched for a day is over: the visitor’s next lead is a new one', async () => {
    const visitorId = uniqueVisitor();
    const first = await leave({ visitorId });
    const { sql } = await useStore();
    await sql.query(
      {
        text: "update conversations set updated_at = now() - interval '25 hours' where account_id = $1 and id = $2",
      },
      [account.id, first.body.conversationId],
    );
    const second = await leave({ visitorId });
    expect(second.status).toBe(201);
    expect(second.body.conversationId).not.toBe(first.body.conversationId);
    const named = await leave({ visitorId, conversationId: first.body.conversationId });
    expect([named.status, named.body.error.code]).toEqual([409, 'ALREADY_CAPTURED']);
  });

  test('numbers parallel messages without a gap and forgets none', async () => {
    const conversations = service.ports.conversations.of(account.id);
    const visit = { dealer, visitorId: uniqueVisitor(), conversationId: null };
    const entered = await Promise.all(
      Array.from({ length: 8 }, (_, n) => conversations.enter(visit, `conv_p_${visit.visitorId}_${n}`)),
    );
    const ids = new Set(entered.map(({ id }) => id));
    expect(ids.size).toBe(1);
    const id = entered[0]?.id ?? '';
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        conversations.append(id, [
          { role: 'visitor', text: `q${n}`, vins: [] },
          { role: 'assistant', text: `a${n}`, vins: [] },
        ]),
      ),
    );
    const said = (await conversations.history(id, 100)).map(({ text }) => text);
    expect(said).toHaveLength(16);
    for (const [at, text] of said.entries())
      if (text.startsWith('q')) expect(said[at + 1]).toBe(`a${text[1]}`);
    expect((await conversations.history(id, 3)).map(({ text }) => text)).toEqual(said.slice(-3));
  });
});

describe('the seller', () => {
  test('walks through the leads newest first, each once, and narrows them', async () => {
    const slug = await newDealer();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await leave({ dealerSlug: slug })).body.leadId);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await account.call('GET', `/v1/leads?dealer=${slug}&limit=2${cursor}`);
      seen.push(...body.leads.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(ids.toSorted().reverse());
    await account.call('PATCH', `/v1/leads/${ids[0]}`, { status: 'closed' });
    expect((await listLeads(slug, '&status=closed')).map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    expect(await listLeads(slug, '&since=2199-01-01')).toEqual([]);
    expect(await listLeads(slug, '&since=2020-01-01T00:00:00%2B02:00')).toHaveLength(5);
    for (const query of [
      'since=yesterday',
      'status=lost',
      'format=pdf',
      'dealer=A%20B',
      'cursor=x',
      'limit=0',
    ]) {
      const refused = await account.call('GET', `/v1/leads?${query}`);
      expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(refused.body.error.details.field).toBe(query.split('=')[0]);
    }
  });

  test('sets a status; repeating it changes nothing, another word is refused', async () => {
    const { leadId } = (await leave()).body;
    const path = `/v1/leads/${leadId}`;
    const contacted = await account.call('PATCH', path, { status: 'contacted' });
    expect([contacted.status, contacted.body.status]).toEqual([200, 'contacted']);
    const again = await account.call('PATCH', path, { status: 'contacted' });
    expect(again.body).toEqual(contacted.body);
    expect((await account.call('PATCH', path, { status: 'won' })).body.error.code).toBe('INVALID_PAYLOAD');
    expect((await account.call('PATCH', '/v1/leads/%00', { status: 'new' })).body.error.code).toBe(
      'NOT_FOUND',
    );
  });

  test('gets CSV in which nothing is a formula', async () => {
    const slug = await newDealer();
    const evil = { name: '=HYPERLINK("http://evil.example")', message: '@SUM(1+1)*cmd|"/c calc"!A0\nnext' };
    await leave({ ...evil, dealerSlug: slug, phone: '2105550142' });
    const csv = await account.call('GET', `/v1/leads?dealer=${slug}&format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"');
    expect([...csv.bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csv.text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(csv.text).toContain(`"'@SUM(1+1)*cmd|""/c calc""!A0\nnext"`);
    expect(csv.text).toContain(`'+12105550142`);
    expect(csv.text).not.toMatch(/(^|[,\n"])[=@+-](?!\d*$)[A-Z0-9]/m);
  });

  test('gets ADF, page by page', async () => {
    const slug = await newDealer();
    await leave({ dealerSlug: slug, name: 'Ann <&> "Lee"' });
    await leave({ dealerSlug: slug });
    const page = await account.call('GET', `/v1/leads?dealer=${slug}&format=adf&limit=1`);
    expect(page.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const cursor = page.headers.get('x-next-cursor');
    const rest = await account.call('GET', `/v1/leads?dealer=${slug}&format=adf&limit=1&cursor=${cursor}`);
    expect(rest.headers.get('x-next-cursor')).toBeNull();
    expect(rest.text).toContain('Ann &lt;&amp;&gt; &quot;Lee&quot;</name>');
    expect(rest.text.match(/<prospect/g)).toHaveLength(1);
  });

  test('erases a visitor: nothing of the lead, transcript and conversation is left, nothing more is sent', async () => {
    const slug = await newDealer({ lead_email: 'leads@dealer.example' });
    const visitorId = `secret-visitor-${Date.now()}`;
    const conversations = service.ports.conversations.of(account.id);
    const { id } = await conversations.enter(
      { dealer: slug, visitorId, conversationId: null },
      `conv_e_${slug}`,
    );
    await conversations.append(id, [{ role: 'visitor', text: 'Marked words 71523', vins: [] }]);
    const captured = await leave({ dealerSlug: slug, visitorId, name: 'Marked 71523' });
    await leave({ dealerSlug: slug, visitorId, message: 'Marked update 71523' });
    const path = `/v1/leads/${captured.body.leadId}`;
    expect((await account.call('DELETE', path)).status).toBe(204);
    const { sql } = await useStore();
    for (const table of ['leads', 'lead_updates', 'conversations', 'messages', 'lead_deliveries']) {
      const left = await sql.query<{ n: number }>(
        { text: `select count(*)::int as n from ${table} t where account_id = $1 and t::text ~ $2` },
        [account.id, `71523|${visitorId}|${captured.body.leadId}|${id}`],
      );
      expect(left, table).toEqual([{ n: 0 }]);
    }
    expect((await account.call('DELETE', path)).status).toBe(404);
    await conversations.append(id, [{ role: 'visitor', text: 'too late', vins: [] }]);
    expect(await conversations.history(id, 10)).toEqual([]);
    expect((await leave({ dealerSlug: slug, visitorId })).status).toBe(201);
  });

  test('keeps leads and conversations for so many days and no longer', async () => {
    const [old, young] = [await leave(), await leave()];
    const { sql } = await useStore();
    const days = service.ports.settings.leadRetentionDays;
    const back = (table: string, column: string, id: string, by: number) =>
      sql.query(
        {
          text: `update ${table} set ${column} = now() - make_interval(days => $3::int, hours => 1) where account_id = $1 and id = $2`,
        },
        [account.id, id, by],
      );
    await back('leads', 'created_at', old.body.leadId, days);
    await back('conversations', 'updated_at', old.body.conversationId, days);
    await back('leads', 'created_at', young.body.leadId, days - 1);
    await service.ports.leads.sweep(days);
    await service.ports.conversations.sweep(days);
    const leads = service.ports.leads.of(account.id);
    expect(await leads.get(old.body.leadId)).toBeNull();
    expect(await leads.get(young.body.leadId)).not.toBeNull();
    const gone = { dealer, visitorId: 'nobody', conversationId: old.body.conversationId };
    expect((await service.ports.conversations.of(account.id).enter(gone, 'conv_fresh')).id).toBe(
      'conv_fresh',
    );
  });
});

describe('what a dealer has', () => {
  test('decides what is sent: one delivery per way, waiting from the start', async () => {
    const url = 'https://crm.dealer.invalid/leads';
    const ways = [
      {},
      { lead_email: 'a@b.example' },
      { lead_webhook_url: url },
      { lead_email: 'a@b.example', lead_webhook_url: url },
    ];
    const kinds = [];
    for (const way of ways) {
      const slug = await newDealer(way);
      const visitorId = uniqueVisitor();
      await leave({ dealerSlug: slug, visitorId });
      await leave({ dealerSlug: slug, visitorId, message: 'Another question' });
      const [lead] = await listLeads(slug);
      const waiting = lead.delivery.map(({ kind }: { kind: string }) => kind);
      expect(lead.updates[0].delivery.map(({ kind }: { kind: string }) => kind)).toEqual(waiting);
      kinds.push(waiting);
    }
    expect(kinds).toEqual([[], ['email'], ['webhook'], ['email', 'webhook']]);
  });
});

describe('what a visitor asks for', () => {
  test('is described in three languages, and no form asks for a social security number', async () => {
    const read = (locale: string) =>
      account.call('GET', `/v1/widget/forms?dealerSlug=${dealer}&visitorId=v-1&locale=${locale}`);
    const { body, text } = await read('en');
    expect(body.forms.map(({ intent }: { intent: string }) => intent)).toEqual([
      ...['availability', 'best_price', 'finance', 'trade_in', 'appointment', 'transport'],
    ]);
    expect(text).not.toMatch(/social|ssn/i);
    expect((await read('es-MX')).body.forms[2].name).toBe('Financiamiento');
    expect((await read('fr')).body.marketing.text).toContain('STOP');
  });

  test('is kept with its details, and the words of the box for text messages as evidence', async () => {
    const marketing = { text: 'Text me offers, too.', page: 'https://dealer.example/' };
    const trade = { make: 'Peterbilt', model: '389', year: '2015', mileage: '812,000', unknown: 'x' };
    const lead = await findLead(await leave({ intent: 'trade_in', details: trade, marketing }));
    expect(lead).toMatchObject({ intent: 'trade_in', marketing });
    expect(lead.marketing.sha256).toBe(createHash('sha256').update(marketing.text).digest('hex'));
    expect(lead.details).toEqual({ make: 'Peterbilt', model: '389', year: '2015', mileage: '812000' });
    expect(await findLead(await leave())).toMatchObject({ intent: null, details: {}, marketing: null });
  });

  test('the same words with another request are an update, not a repetition', async () => {
    const visitorId = uniqueVisitor();
    const first = await leave({ visitorId });
    const ask = { visitorId, intent: 'finance', details: { down_payment: '5000' } };
    expect((await leave(ask)).status).toBe(200);
    expect((await leave(ask)).body.error.code).toBe('ALREADY_CAPTURED');
    expect((await leave({ ...ask, details: { down_payment: '9000' } })).status).toBe(200);
    const { updates } = await findLead(first);
    expect(updates.map(({ details }: { details: object }) => details)).toEqual([
      ...[{ down_payment: '5000' }, { down_payment: '9000' }],
    ]);
  });

  test('a social security number that a visitor writes all the same is not kept', async () => {
    const lead = await findLead(
      await leave({
        message: 'My SSN is 123-45-6789.',
        intent: 'trade_in',
        details: { make: '123 45 6789', model: 'x', year: '2015' },
      }),
    );
    expect(JSON.stringify(lead)).not.toMatch(/6789/);
  });

  test.each([
    ['intent', { intent: 'gift' }],
    ['details.make', { intent: 'trade_in', details: { model: '389', year: '2015' } }],
    ['details.year', { intent: 'trade_in', details: { make: 'P', model: '389', year: 'old' } }],
    ['details.credit', { intent: 'finance', details: { credit: 'superb' } }],
    ['details.date', { intent: 'appointment', details: { date: '2026-02-30' } }],
  ])('refused as INVALID_PARAMS, naming %s: %j', async (field, lead) => {
    const { status, body } = await leave(lead);
    expect([status, body.error.code, body.error.details.field]).toEqual([400, 'INVALID_PARAMS', field]);
  });
});
