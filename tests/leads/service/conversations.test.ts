import { describe, expect, test } from 'vitest';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck } from '../../support/service/service.ts';
import {
  account,
  dealer,
  enter,
  findLead,
  leave,
  listIds,
  newDealer,
  say,
  uniqueVisitor,
} from './visitor.ts';

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
      const error = { code: 'ALREADY_CAPTURED', details: { conversationId } };
      expect(await leave({ ...enquiry, ...change })).toMatchObject({ status: 409, body: { error } });
    }
    expect(await findLead(first)).toEqual(before);
  });

  test('takes another enquiry as an update of its lead, which is new again; no word is lost', async () => {
    const visitorId = uniqueVisitor();
    const truck = goodTruck({ dealer });
    await account.post(truck);
    const first = await leave({ visitorId });
    await say(first.body.conversationId, 'One more');
    await account.call('PATCH', `/v1/leads/${first.body.leadId}`, { status: 'closed' });
    const changes = [
      { message: 'And this one?', vin: truck.vin },
      { email: 'work@visitor.example' },
      { phone: '(210) 555-0199' },
      { name: 'Jane Doe' },
      { consent: { text: 'You may call me.' } },
      ...['5000', '9000'].map((payment) => ({ intent: 'finance', details: { down_payment: payment } })),
    ];
    for (const change of changes) {
      expect(await leave({ visitorId, ...change })).toMatchObject({ status: 200, body: first.body });
      expect((await leave({ visitorId, ...change })).status).toBe(409);
    }
    const lead = await findLead(first);
    expect(lead).toMatchObject({ status: 'new', message: 'Is it still there?', transcript: [] });
    expect(lead.updates).toMatchObject([
      { n: 1, message: 'And this one?', truck: { vin: truck.vin }, transcript: [{ text: 'One more' }] },
      { n: 2, email: 'work@visitor.example', transcript: [] },
      { n: 3, phone: '+12105550199' },
      { n: 4, name: 'Jane Doe' },
      { n: 5, consent: { text: 'You may call me.' } },
      { n: 6, intent: 'finance', details: { down_payment: '5000' } },
      { n: 7, details: { down_payment: '9000' } },
    ]);
    expect(lead.updated_at > lead.created_at).toBe(true);
    expect(await listIds(dealer, `&updated_since=${lead.updated_at}`)).toContain(lead.id);
  });

  test('of another person on the same browser is a lead of its own, with what was said since', async () => {
    const visitorId = uniqueVisitor();
    const ann = { visitorId, name: 'Ann Lee', email: 'ann@visitor.example' };
    const first = await leave({ ...ann, phone: '2105550160' });
    const { conversationId } = first.body;
    await say(conversationId, 'Bob here', 'Hi Bob');
    const bob = { visitorId, name: 'Bob Ray', email: 'bob@visitor.example', phone: '2105550161' };
    const second = await leave({ ...bob, conversationId });
    expect(second.status).toBe(201);
    const at = expect.any(String);
    const transcript = [
      { role: 'visitor', text: 'Bob here', at },
      { role: 'assistant', text: 'Hi Bob', at },
    ];
    expect(await findLead(second)).toMatchObject({ name: 'Bob Ray', transcript });
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
    expect((await findLead(next)).message).toBe('One too many');
    expect((await findLead(first)).updates).toHaveLength(50);
  });

  test('gives exactly one lead to 24 posts at the same time that name it, too', async () => {
    const visitorId = uniqueVisitor();
    const { id: conversationId } = await enter(visitorId);
    const answers = await Promise.all(Array.from({ length: 24 }, () => leave({ visitorId, conversationId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(23).fill(409)]);
  });

  test('belongs to its visitor and dealer: another’s is as good as none', async () => {
    const visitorId = uniqueVisitor();
    const { conversationId } = (await leave({ visitorId })).body;
    for (const change of [{}, { visitorId, dealerSlug: await newDealer() }]) {
      const other = await leave({ conversationId, ...change });
      expect(other.status).toBe(201);
      expect(other.body.conversationId).not.toBe(conversationId);
    }
  });

  test('that nobody touched for a day is over: the visitor’s next lead is a new one', async () => {
    const visitorId = uniqueVisitor();
    const first = await leave({ visitorId });
    await queryRows(
      "update conversations set updated_at = now() - interval '25 hours' where account_id = $1 and id = $2",
      [account.id, first.body.conversationId],
    );
    const second = await leave({ visitorId });
    expect(second.status).toBe(201);
    expect(second.body.conversationId).not.toBe(first.body.conversationId);
    expect((await leave({ visitorId, conversationId: first.body.conversationId })).status).toBe(409);
  });
});
