import { describe, expect, test } from 'vitest';
import { appendMessages, listMessages, sweepConversations } from '../../../lib/chat/queries.ts';
import { enterConversation } from '../../../lib/leads/enter-conversation.ts';
import { selectLead, sweepLeads } from '../../../lib/leads/queries/leads.ts';
import { useStore } from '../../support/service/store.ts';
import { account, dealer, leave, listLeads, newDealer, service, uniqueVisitor } from './visitor.ts';

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
      'updated_since=2026-02-31',
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
    const { id } = await enterConversation(
      service.ports.db,
      account.id,
      { dealer: slug, visitorId, conversationId: null },
      `conv_e_${slug}`,
    );
    await appendMessages(service.ports.db, account.id, id, [
      { role: 'visitor', text: 'Marked words marked-71523', vins: [] },
    ]);
    const captured = await leave({ dealerSlug: slug, visitorId, name: 'Marked marked-71523' });
    await leave({ dealerSlug: slug, visitorId, message: 'Marked update marked-71523' });
    const path = `/v1/leads/${captured.body.leadId}`;
    expect((await account.call('DELETE', path)).status).toBe(204);
    const { sql } = await useStore();
    for (const table of ['leads', 'lead_updates', 'conversations', 'messages', 'lead_deliveries']) {
      const left = await sql.query<{ n: number }>(
        { text: `select count(*)::int as n from ${table} t where account_id = $1 and t::text ~ $2` },
        [account.id, `marked-71523|${visitorId}|${captured.body.leadId}|${id}`],
      );
      expect(left, table).toEqual([{ n: 0 }]);
    }
    expect((await account.call('DELETE', path)).status).toBe(404);
    await appendMessages(service.ports.db, account.id, id, [{ role: 'visitor', text: 'too late', vins: [] }]);
    expect(await listMessages(service.ports.db, account.id, id, 10)).toEqual([]);
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
    await sweepLeads(service.ports.db, days);
    await sweepConversations(service.ports.db, days);
    expect(await selectLead(service.ports.db, account.id, old.body.leadId)).toBeNull();
    expect(await selectLead(service.ports.db, account.id, young.body.leadId)).not.toBeNull();
    const gone = { dealer, visitorId: 'nobody', conversationId: old.body.conversationId };
    expect((await enterConversation(service.ports.db, account.id, gone, 'conv_fresh')).id).toBe('conv_fresh');
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
