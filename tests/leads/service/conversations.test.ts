import { describe, expect, test } from 'vitest';
import { appendMessages, listMessages } from '../../../lib/chat/queries.ts';
import { enterConversation } from '../../../lib/leads/enter-conversation.ts';
import { goodTruck } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';
import { account, dealer, findLead, leave, newDealer, service, uniqueVisitor } from './visitor.ts';

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
    await account.post(truck);
    const first = await leave({ visitorId });
    await appendMessages(service.ports.db, account.id, first.body.conversationId, [
      { role: 'visitor', text: 'One more', vins: [] },
    ]);
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
    await appendMessages(service.ports.db, account.id, conversationId, [
      { role: 'visitor', text: 'Bob here', vins: [] },
    ]);
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

  test('gives exactly one lead to 24 posts at the same time that name it, too', async () => {
    const visitorId = uniqueVisitor();
    const visit = { dealer, visitorId, conversationId: null };
    const { id: conversationId } = await enterConversation(
      service.ports.db,
      account.id,
      visit,
      `conv_n_${visitorId}`,
    );
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
    const visit = { dealer, visitorId, conversationId: null };
    const { id } = await enterConversation(service.ports.db, account.id, visit, `conv_t_${visitorId}`);
    await appendMessages(service.ports.db, account.id, id, [{ role: 'visitor', text: 'Hello', vins: [] }]);
    await appendMessages(service.ports.db, account.id, id, [
      { role: 'assistant', text: 'Hi', vins: ['3AKJHHDR0KSKA1234'] },
    ]);
    const captured = await leave({ visitorId });
    expect(captured.body.conversationId).toBe(id);
    expect((await findLead(captured)).transcript).toEqual([
      { role: 'visitor', text: 'Hello', at: expect.any(String) },
      { role: 'assistant', text: 'Hi', at: expect.any(String) },
    ]);
    expect(await enterConversation(service.ports.db, account.id, visit, 'conv_unused')).toEqual({
      id,
      leadId: captured.body.leadId,
    });
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
    const visit = { dealer, visitorId: uniqueVisitor(), conversationId: null };
    const entered = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        enterConversation(service.ports.db, account.id, visit, `conv_p_${visit.visitorId}_${n}`),
      ),
    );
    const ids = new Set(entered.map(({ id }) => id));
    expect(ids.size).toBe(1);
    const id = entered[0]?.id ?? '';
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        appendMessages(service.ports.db, account.id, id, [
          { role: 'visitor', text: `q${n}`, vins: [] },
          { role: 'assistant', text: `a${n}`, vins: [] },
        ]),
      ),
    );
    const said = (await listMessages(service.ports.db, account.id, id, 100)).map(({ text }) => text);
    expect(said).toHaveLength(16);
    for (const [at, text] of said.entries())
      if (text.startsWith('q')) expect(said[at + 1]).toBe(`a${text[1]}`);
    expect((await listMessages(service.ports.db, account.id, id, 3)).map(({ text }) => text)).toEqual(
      said.slice(-3),
    );
  });
});
