import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { deliverLeads } from '../../lib/leads/delivery/deliver.ts';
import { selectLead } from '../../lib/leads/queries/leads.ts';
import { smtpMailer } from '../../lib/outside/mailer/smtp.ts';
import { OutboundFailure } from '../../lib/outside/outbound.ts';
import type { Ports } from '../../lib/ports.ts';
import { listen } from '../support/servers/ports.ts';
import { verified } from '../support/servers/webhook-receiver.ts';
import { queryRows } from '../support/service/database.ts';
import {
  account,
  callAt,
  capture,
  deliverLater,
  delivery,
  FROM,
  lead,
  leave,
  newDealer,
  ports,
  receiveLeads,
  receiver,
  service,
  smtp,
} from './dealers-mail.ts';

receiveLeads();

test('a crash between sending and writing it down sends again, under the same ids', async () => {
  const { slug } = await newDealer({ lead_email: 'crm@dealer.example', lead_webhook_url: receiver.url });
  const transaction = () => Promise.reject(new Error('crash'));
  const { leadId: id } = await capture(slug);
  await expect(deliverLeads({ ...ports, db: { ...ports.db, transaction } })).rejects.toThrow('crash');
  expect((await lead(id)).delivery).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  await deliverLeads(ports);
  expect(smtp.mails).toHaveLength(1);
  await deliverLater(id);
  expect((await lead(id)).delivery).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
  const [mailId, callId] = [`<${id}@trucks.example>`, `msg_${id}`];
  expect(smtp.mails.map(({ messageId }) => messageId)).toEqual([mailId, mailId]);
  expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([callId, callId]);
});

test('a mail server that drips holds up no webhook, and gives its worker back at the deadline', async () => {
  const dripping = createServer((socket) => {
    socket.on('error', () => undefined);
    const drip = setInterval(() => socket.write('2'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const port = await listen(dripping);
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM });
  const { slug } = await newDealer({ lead_email: 'crm@dealer.example', lead_webhook_url: receiver.url });
  smtp.answer(451);
  receiver.answer({ status: 500 });
  const id = await leave(slug);
  const deadline = new AbortController();
  const { timeout } = AbortSignal;
  const timeouts = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => AbortSignal.any([timeout(ms), deadline.signal]));
  const work = deliverLater(id, undefined, { ...ports, mailer });
  await expect.poll(async () => (await lead(id)).delivery[1].status).toBe('delivered');
  timeouts.mockRestore();
  deadline.abort();
  await work;
  expect((await lead(id)).delivery).toMatchObject([
    { kind: 'email', status: 'pending', last_error: 'timeout' },
    { kind: 'webhook', status: 'delivered' },
  ]);
  // Ends only when the connection is closed.
  await new Promise((resolve) => dripping.close(resolve));
});

test('an account whose receiver hangs keeps two workers, and no other account waiting', async () => {
  const stranger = await service.newAccount();
  const slow = await newDealer({ lead_webhook_url: receiver.url });
  const hanging = receiver.url.replace('/leads', '/hanging');
  await account.call('PATCH', '/v1/dealers', { slug: slow.slug, lead_webhook_url: hanging });
  for (let n = 0; n < 20; n++) await capture(slow.slug);
  await service.settled();
  const { slug: other } = await newDealer({ lead_webhook_url: receiver.url }, stranger);
  const { leadId } = await capture(other, stranger.id);
  const released = Promise.withResolvers<void>();
  let calls = 0;
  const fetcher: Ports['fetcher'] = {
    findRefusal: async () => null,
    close: () => undefined,
    async fetch(request) {
      if (request.url !== hanging) return ports.fetcher.fetch(request);
      calls += 1;
      await released.promise;
      throw new OutboundFailure('timeout', 'no answer');
    },
  };
  const running = deliverLeads({ ...ports, fetcher });
  const deliveredTo = async () => (await selectLead(ports.db, stranger.id, leadId))?.delivery[0]?.status;
  await vi.waitFor(async () => expect(await deliveredTo()).toBe('delivered'), 20_000);
  await vi.waitFor(() => expect(calls).toBe(2), 20_000);
  released.resolve();
  await running;
  expect(calls).toBe(20);
});

test('runs side by side share the work: nothing is sent twice', async () => {
  const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
  const captured = await Promise.all(Array.from({ length: 25 }, () => capture(slug)));
  // Another process, to whoever looks at identity.
  const copy = () => ({ ...ports, db: Object.create(ports.db) });
  await Promise.all([deliverLeads(copy()), deliverLeads(copy()), deliverLeads(copy())]);
  const messageIds = smtp.mails.map(({ messageId }) => messageId).sort();
  expect(messageIds).toEqual(captured.map(({ leadId }) => `<${leadId}@trucks.example>`).sort());
});

test('after three days of trying a delivery is dead, and sent when it is asked for, once', async () => {
  const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
  smtp.answer(451, 451, 451, 451);
  const id = await leave(slug);
  // An outage of ours for days is no reason to give up after one try.
  await deliverLater(id, "created_at = now() - interval '9 days', due_at = now()");
  expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 2 });
  await deliverLater(id, "created_at = now() - interval '71 hours', tries = 20, due_at = now()");
  expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 21 });
  await deliverLater(id, "created_at = now() - interval '73 hours', due_at = now()");
  const dead = { kind: 'email', status: 'dead', attempts: 22, last_error: 'smtp_451' };
  expect(await delivery(id)).toEqual({ ...dead, next_try_at: null, delivered_at: null });
  const retry = async () => {
    expect((await account.call('POST', `/v1/leads/${id}/deliveries`)).status).toBe(202);
    await service.settled();
  };
  await retry();
  expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  await retry();
  expect(smtp.mails).toHaveLength(1);
});

test('the address as it is when it is sent counts, and both secrets of a rotation sign', async () => {
  const { slug, secret } = await newDealer({ lead_webhook_url: 'https://crm.dealer.example/old' });
  const id = await leave(slug);
  const change = { slug, lead_webhook_url: receiver.url, rotate_lead_webhook_secret: true };
  const rotated = (await account.call('PATCH', '/v1/dealers', change)).body.lead_webhook_secret;
  expect(rotated).not.toBe(secret);
  await service.settled();
  receiver.calls.length = 0;
  await deliverLater(id);
  for (const each of [rotated, secret]) expect(verified(callAt(), each).data.id).toBe(id);
  await queryRows(
    'update dealers set lead_webhook_old_secret_until = now() where account_id = $1 and slug = $2',
    [account.id, slug],
  );
  await leave(slug);
  expect(verified(callAt(1), rotated).type).toBe('lead.created');
  expect(() => verified(callAt(1), secret)).toThrow();
});
