import { describe, expect, test } from 'vitest';
import { listMessages, sweepConversations } from '../../../lib/chat/queries.ts';
import { sweepLeads } from '../../../lib/leads/queries/leads.ts';
import { queryRows } from '../../support/service/database.ts';
import {
  account,
  dealer,
  enter,
  leave,
  listIds,
  listLeads,
  newDealer,
  say,
  service,
  uniqueVisitor,
} from './visitor.ts';

describe('the seller', () => {
  test('walks through the leads newest first, each once, narrows them and reads one', async () => {
    const slug = await newDealer();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await leave({ dealerSlug: slug })).body.leadId);
    const idsRead: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${cursor}`;
      const { body } = await account.call('GET', `/v1/leads?dealer=${slug}&limit=2${from}`);
      idsRead.push(...body.leads.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(idsRead).toEqual(ids);
    const closed = await account.call('PATCH', `/v1/leads/${ids[0]}`, { status: 'closed' });
    expect(await listLeads(slug, '&status=closed')).toEqual([closed.body]);
    expect((await account.call('GET', `/v1/leads/${ids[0]}`)).body).toEqual(closed.body);
    expect(await listIds(slug, '&since=2199-01-01')).toEqual([]);
    expect(await listIds(slug, '&since=2020-01-01T00:00:00%2B02:00')).toEqual(ids);
  });

  test('sees the leads of one dealer only by a key for that dealer', async () => {
    const [ownDealer, { body }] = [await newDealer(), await leave()];
    const json = { account_id: account.id, kind: 'secret', dealers: [ownDealer] };
    const { key: token } = (await service.admin('POST', '/api/admin/keys', json)).body;
    const read = (path: string) => service.call('GET', `/v1/leads${path}`, { token });
    expect((await read(`/${body.leadId}`)).status).toBe(404);
    for (const query of ['', `?dealer=${dealer}`]) expect((await read(query)).body.leads).toEqual([]);
  });

  test.each(['since=yesterday', 'updated_since=2026-02-31', 'format=pdf', 'dealer=A%20B'])(
    'is told of what no query is: %s',
    async (query) => {
      const { body } = await account.call('GET', `/v1/leads?${query}`);
      const field = query.split('=')[0];
      expect(body).toMatchObject({ error: { code: 'INVALID_PARAMS', details: { field } } });
    },
  );

  test('finds a person’s leads by address in any case and by phone as people write it, in updates too', async () => {
    const dealerSlug = await newDealer();
    const [ann, phone] = ['Ann.Lee@visitor.example', '210-555-0147'];
    const visitorId = uniqueVisitor();
    const first = await leave({ dealerSlug, email: ann });
    const second = await leave({ dealerSlug, email: undefined, phone, visitorId });
    await leave({ dealerSlug, email: ann.toLowerCase(), phone, visitorId });
    await leave({ dealerSlug, phone: '210-555-0148' });
    const ids = [second, first].map(({ body }) => body.leadId);
    expect(await listIds(dealerSlug, '&email=ann.lee@VISITOR.example')).toEqual(ids);
    expect(await listIds(dealerSlug, `&phone=${encodeURIComponent('+1 (210) 555.0147')}`)).toEqual([ids[0]]);
  });

  test('sets a status; repeating it changes nothing, another word is refused', async () => {
    const path = `/v1/leads/${(await leave()).body.leadId}`;
    const contacted = await account.call('PATCH', path, { status: 'contacted' });
    expect(contacted).toMatchObject({ status: 200, body: { status: 'contacted' } });
    expect((await account.call('PATCH', path, { status: 'contacted' })).body).toEqual(contacted.body);
    expect((await account.call('PATCH', path, { status: 'won' })).status).toBe(400);
  });

  test('gets CSV in which nothing is a formula, page by page', async () => {
    const slug = await newDealer();
    const evil = { name: '=HYPERLINK("http://evil.example")', message: '@SUM(1+1)*cmd|"/c calc"!A0\nnext' };
    await leave({ ...evil, dealerSlug: slug, phone: '2105550142' });
    await leave({ dealerSlug: slug });
    const read = (more = '') => account.call('GET', `/v1/leads?dealer=${slug}&format=csv&limit=1${more}`);
    const csv = await read(`&cursor=${(await read()).headers.get('x-next-cursor')}`);
    expect(csv.headers.get('x-next-cursor')).toBeNull();
    expect(csv.text.match(/\r\n/g)).toHaveLength(2);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"');
    expect([...csv.bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csv.text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(csv.text).toContain(`"'@SUM(1+1)*cmd|""/c calc""!A0\nnext"`);
    expect(csv.text).toContain(`'+12105550142`);
    expect(csv.text).not.toMatch(/(^|[,\n"])[=@+-](?!\d*$)[A-Z0-9]/m);
  });

  test('erases a visitor: nothing of the lead, transcript and conversation is left, nothing more is sent', async () => {
    const slug = await newDealer({ lead_email: 'leads@dealer.example' });
    const visitorId = `secret-visitor-${Date.now()}`;
    const { id } = await enter(visitorId, `conv_e_${slug}`, slug);
    await say(id, 'Marked words marked-71523');
    const captured = await leave({ dealerSlug: slug, visitorId, name: 'Marked marked-71523' });
    await leave({ dealerSlug: slug, visitorId, message: 'Marked update marked-71523' });
    const path = `/v1/leads/${captured.body.leadId}`;
    expect((await account.call('DELETE', path)).status).toBe(204);
    const marks = `marked-71523|${visitorId}|${captured.body.leadId}|${id}`;
    for (const table of ['leads', 'lead_updates', 'conversations', 'messages', 'lead_deliveries']) {
      const text = `select 1 from ${table} t where account_id = $1 and t::text ~ $2`;
      expect(await queryRows(text, [account.id, marks]), table).toEqual([]);
    }
    const erased = "select detail from audit where action = 'lead.erase' and target = $1";
    expect(await queryRows(erased, [account.id])).toEqual([{ detail: { lead: captured.body.leadId } }]);
    expect((await account.call('DELETE', path)).status).toBe(404);
    await say(id, 'too late');
    expect(await listMessages(service.ports.db, account.id, id, 10)).toEqual([]);
    expect((await leave({ dealerSlug: slug, visitorId })).status).toBe(201);
  });

  test('keeps leads and conversations for so many days and no longer', async () => {
    const [{ body: old }, { body: young }] = [await leave(), await leave()];
    const days = service.ports.settings.leadRetentionDays;
    const back = (column: string, id: string, by: number) =>
      queryRows(
        `update ${column.replace('.', ' set ')} = now() - make_interval(days => $3::int, hours => 1) where account_id = $1 and id = $2`,
        [account.id, id, by],
      );
    await back('leads.created_at', old.leadId, days);
    await back('conversations.updated_at', old.conversationId, days);
    await back('leads.created_at', young.leadId, days - 1);
    await sweepLeads(service.ports.db, days);
    await sweepConversations(service.ports.db, days);
    expect(await listIds(dealer)).not.toContain(old.leadId);
    expect(await listIds(dealer)).toContain(young.leadId);
    const conversation = 'select from conversations where account_id = $1 and id = $2';
    expect(await queryRows(conversation, [account.id, old.conversationId])).toEqual([]);
  });
});

describe('what a dealer has', () => {
  const lead_email = 'a@b.example';
  const lead_webhook_url = 'https://crm.dealer.invalid/leads';

  test.each([
    [{}, []],
    [{ lead_email }, ['email']],
    [{ lead_webhook_url }, ['webhook']],
    [{ lead_email, lead_webhook_url }, ['email', 'webhook']],
  ])('decides what is sent, from the start: %j', async (destinations, kinds) => {
    const dealerSlug = await newDealer(destinations);
    const visitorId = uniqueVisitor();
    await leave({ dealerSlug, visitorId });
    await leave({ dealerSlug, visitorId, message: 'Another question' });
    const delivery = kinds.map((kind) => ({ kind }));
    expect(await listLeads(dealerSlug)).toMatchObject([{ delivery, updates: [{ delivery }] }]);
  });

  test('and has gained since is taken when the lead is sent again', async () => {
    const slug = await newDealer();
    const { leadId } = (await leave({ dealerSlug: slug })).body;
    await account.call('PATCH', '/v1/dealers', { slug, lead_email });
    const { body } = await account.call('POST', `/v1/leads/${leadId}/deliveries`);
    expect(body.delivery).toMatchObject([{ kind: 'email' }]);
  });
});
