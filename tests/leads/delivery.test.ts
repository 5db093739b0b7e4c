import { randomUUID as newUuid } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { guardedFetcher } from '../../lib/adapters/fetcher/guarded.ts';
import { folderMailer } from '../../lib/adapters/mailer/folder.ts';
import { smtpMailer } from '../../lib/adapters/mailer/smtp.ts';
import type { Delivery, Lead, Leads, Mailer } from '../../lib/ports/leads/leads.ts';
import { OutboundFailure } from '../../lib/ports/outbound.ts';
import type { Ports } from '../../lib/ports/ports.ts';
import { deliverLeads } from '../../lib/services/leads/delivery/deliver-leads.ts';
import { LOCALHOST_TLS } from '../fixtures/localhost-tls.ts';
import { readAdf, textAt } from '../support/oracles/adf.ts';
import { newLead } from '../support/samples/leads.ts';
import { uniqueSlug } from '../support/samples/samples.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { freePort, listen } from '../support/servers/ports.ts';
import { type Receiver, startReceiver, verified } from '../support/servers/webhook-receiver.ts';
import { goodTruck, startService, type TestAccount, type TestService } from '../support/service/service.ts';
import { useStore } from '../support/service/store.ts';

/** Leads on their way to the dealer: a real SMTP server, a real HTTPS receiver, and whatever goes wrong between. */

const FROM = 'leads@trucks.example';
let smtp: MailServer;
let receiver: Receiver;
let service: TestService;
let account: TestAccount;
let ports: Ports;
/** Runs that answers set off; a test that starts its own waits for them first. */
const background = new Set<Promise<unknown>>();

beforeAll(async () => {
  [smtp, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  service = await startService((base) => ({
    mailer: smtpMailer({ url: `smtp://127.0.0.1:${smtp.port}`, from: FROM }),
    fetcher: guardedFetcher({ allow: new Set([receiver.host]) }),
    settings: { ...base.settings, publicUrl: 'https://trucks.example' },
    background: {
      run(work) {
        const running = work.finally(() => background.delete(running));
        background.add(running);
      },
    },
  }));
  ports = service.ports;
  account = await service.newAccount();
  for (const address of ['crm@dealer.example', 'new@dealer.example'])
    await ports.leadDestinations.of(account.id).confirm(address);
});
afterAll(() => Promise.all([smtp.close(), receiver.close()]));
beforeEach(() => {
  smtp.mails.length = 0;
  receiver.calls.length = 0;
});

async function newDealer(change: Record<string, unknown>): Promise<{ slug: string; secret: string }> {
  const slug = uniqueSlug();
  const fields = { name: 'Lone Star Trucks', phone: '+1 210 555 0100', ...change };
  const { body } = await account.call('POST', '/v1/dealers', { slug, ...fields });
  // The ping of a new webhook.
  await Promise.allSettled(background);
  receiver.calls.length = 0;
  return { slug, secret: body.lead_webhook_secret };
}

/** Leaves a lead and waits until what it set off has ended. */
async function leave(dealerSlug: string, change: Record<string, unknown> = {}): Promise<string> {
  const json = {
    message: 'Is it still there?',
    dealerSlug,
    visitorId: crypto.randomUUID(),
    name: 'Jane Doe',
  };
  const { body } = await account.call('POST', '/v1/widget/lead', {
    ...json,
    ...{ email: 'jane@visitor.example', phone: '(210) 555-0142', ...change },
  });
  await Promise.allSettled(background);
  return body.leadId;
}

const lead = async (id: string): Promise<Lead> => {
  const found = await ports.leads.of(account.id).get(id);
  if (!found) throw new Error('no such lead');
  return found;
};
const delivery = async (id: string): Promise<Delivery | undefined> => (await lead(id)).delivery[0];
/** Makes a delivery look as if time had passed. */
const age = async (id: string, change: string) =>
  (await useStore()).sql.query(
    { text: `update lead_deliveries set ${change} where account_id = $1 and lead_id = $2` },
    [account.id, id],
  );
const due = (id: string) => age(id, 'due_at = now()');

describe('by mail', () => {
  test('the plain text is the ADF and nothing else; a reply goes to the visitor', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example', email: 'sales@dealer.example' });
    const truck = goodTruck({ dealer: slug });
    await account.call('POST', '/v1/inventory', truck);
    const id = await leave(slug, {
      name: 'Jané Doe',
      vin: truck.vin,
      message: `Ünïcode ${'x'.repeat(1_500)}`,
    });
    const [mail, ...more] = smtp.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      ...{ from_: FROM, to_: ['crm@dealer.example'], messageId: `<${id}@trucks.example>` },
      ...{ subject: 'New lead: 2019 Freightliner Cascadia', attachments: [] },
      replyTo: [{ name: 'Jané Doe', address: 'jane@visitor.example' }],
    });
    const adf = readAdf(mail?.text?.trim() ?? '');
    expect(textAt(adf, 'prospect/id')).toBe(id);
    expect(textAt(adf, 'prospect/customer/contact/name')).toBe('Jané Doe');
    expect(textAt(adf, 'prospect/customer/comments')).toContain('Ünïcode xxx');
    expect(textAt(adf, 'prospect/vehicle/vin')).toBe(truck.vin);
    expect(await delivery(id)).toEqual({
      ...{ kind: 'email', status: 'delivered', attempts: 1, last_error: null, next_try_at: null },
      delivered_at: expect.any(String),
    });
  });

  test('the same mail is for a person on a phone: name, a number to tap, the truck with its photo, what was agreed to', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const truck = goodTruck({ dealer: slug, images: [] });
    await account.call('POST', '/v1/inventory', truck);
    const consent = { text: 'You may call me.', page: 'https://dealer.example/trucks/1' };
    await leave(slug, { name: '<b>Jané</b>', vin: truck.vin, message: 'Is it there?\n<script>', consent });
    const html = smtp.mails[0]?.html ?? '';
    expect(html).toContain('&lt;b&gt;Jané&lt;/b&gt;');
    expect(html).toContain('href="tel:+12105550142"');
    expect(html).toContain('href="mailto:jane@visitor.example"');
    expect(html).toContain('2019 Freightliner Cascadia');
    expect(html).toContain('“You may call me.”');
    expect(html).not.toMatch(/<(script|b)>/);
  });

  test('a server that says later, or no, is asked again; its words, which may quote addresses, are not kept', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451, 550);
    const id = await leave(slug);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 1, last_error: 'smtp_451' });
    await due(id);
    await deliverLeads(ports);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 2, last_error: 'smtp_550' });
    await deliverLeads(ports);
    expect((await delivery(id))?.attempts).toBe(2);
    await due(id);
    await deliverLeads(ports);
    expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 3, last_error: null });
    expect(smtp.mails).toHaveLength(1);
  });

  test('an update of a lead is sent at once as a mail of its own', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const truck = goodTruck({ dealer: slug });
    await account.call('POST', '/v1/inventory', truck);
    const visitorId = crypto.randomUUID();
    const id = await leave(slug, { visitorId });
    await leave(slug, { visitorId, message: 'And this one?', vin: truck.vin });
    const [, mail, ...more] = smtp.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      ...{ subject: 'Added to a lead: 2019 Freightliner Cascadia', messageId: `<${id}_1@trucks.example>` },
      replyTo: [{ name: 'Jane Doe', address: 'jane@visitor.example' }],
    });
    const adf = readAdf(mail?.text?.trim() ?? '');
    expect(textAt(adf, 'prospect/id')).toBe(`${id}_1`);
    expect(textAt(adf, 'prospect/customer/comments')).toContain(
      `And this one?\n\nAdded to the enquiry ${id}.`,
    );
    expect(textAt(adf, 'prospect/vehicle/vin')).toBe(truck.vin);
    const { updates } = await lead(id);
    expect(updates[0]?.delivery).toMatchObject([{ kind: 'email', status: 'delivered', attempts: 1 }]);
    const exported = await account.call('GET', `/v1/leads?dealer=${slug}&format=csv`);
    expect(exported.text.trim().split('\n')).toHaveLength(3);
  });

  test('a suspicious lead says so', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const key = await service.admin('POST', '/api/admin/keys', {
      ...{ account_id: account.id, kind: 'publishable', allowed_origins: ['https://dealer.example'] },
    });
    await service.call('POST', '/v1/widget/lead', {
      token: key.body.key,
      headers: { origin: 'https://dealer.example', 'user-agent': 'curl/8' },
      json: { message: 'Hi', dealerSlug: slug, visitorId: 'v', email: 'a@b.example', company: 'Spam Inc' },
    });
    await Promise.allSettled(background);
    expect(smtp.mails[0]?.subject).toBe('Lead to check: Lone Star Trucks');
    expect(smtp.mails[0]?.text).toContain('honeypot, bot, no_visit');
  });
});

describe('the mailers', () => {
  const mail = {
    ...{ to: 'crm@dealer.example', subject: 'Hi', text: 'Hello', id: 'lead_1' },
    replyTo: { name: 'A, "B" <c@d.example>', address: 'jane@visitor.example' },
  };
  const never = new AbortController().signal;
  const reasonOf = (mailer: Mailer) =>
    mailer.send(mail, never).then(
      () => 'sent',
      (error: { reason?: string }) => error.reason,
    );

  test('SMTP over TLS with a password; a wrong one and an untrusted server are told apart', async () => {
    const secured = await startMailServer({
      ...{ secure: true, ...LOCALHOST_TLS, authOptional: false },
      onAuth: ({ username, password }, _, done) =>
        password === 'p@ss' && username === 'me' ? done(null, { user: 'me' }) : done(new Error('no')),
    });
    const at = (login: string, host = 'localhost') =>
      smtpMailer({ url: `smtps://${login}@${host}:${secured.port}`, from: FROM });
    expect(await reasonOf(at('me:p%40ss'))).toBe('sent');
    expect(secured.mails[0]?.replyTo).toEqual([mail.replyTo]);
    expect(await reasonOf(at('me:wrong'))).toBe('smtp_535');
    expect(await reasonOf(at('me:p%40ss', '127.0.0.2'))).toMatch(/^smtp_(unreachable|tls_failed)$/);
    await secured.close();
  });

  test('a server that is not there is unreachable', async () => {
    expect(await reasonOf(smtpMailer({ url: `smtp://127.0.0.1:${await freePort()}`, from: FROM }))).toBe(
      'smtp_unreachable',
    );
  });

  test('without a server mails are files that a mail program opens, one per lead however often it is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
    const mailer = folderMailer(join(folder, 'outbox'));
    await mailer.send(mail, never);
    await mailer.send(mail, never);
    expect(readdirSync(join(folder, 'outbox'))).toEqual(['lead_1.eml']);
    expect(readFileSync(join(folder, 'outbox/lead_1.eml'), 'utf8')).toMatch(
      /^Message-ID: <lead_1@localhost>\r?$/m,
    );
    expect(await reasonOf(folderMailer('/dev/null/outbox'))).toBe('folder_unwritable');
    rmSync(folder, { recursive: true });
  });
});

describe('by webhook', () => {
  test('the lead is posted as GET shows it, under the dealer’s signature', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const id = await leave(slug);
    const [call, ...more] = receiver.calls;
    if (!call) throw new Error('no call');
    expect(more).toEqual([]);
    expect(call.headers).toMatchObject({ 'webhook-id': `msg_${id}`, 'content-type': 'application/json' });
    const { body } = await account.call('GET', `/v1/leads?dealer=${slug}`);
    const { delivery: _, ...shown } = body.leads[0];
    expect(verified(call, secret)).toEqual({
      type: 'lead.created',
      timestamp: shown.created_at,
      data: shown,
    });
    expect(() => verified(call, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toThrow();
    expect(() => verified({ ...call, body: call.body.replace('Jane', 'Joan') }, secret)).toThrow();
    expect(await delivery(id)).toMatchObject({ kind: 'webhook', status: 'delivered', attempts: 1 });
  });

  test('an update is posted as lead.updated with the whole lead', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    const visitorId = crypto.randomUUID();
    const id = await leave(slug, { visitorId });
    await leave(slug, { visitorId, message: 'And this one?' });
    const call = receiver.calls[1];
    if (!call) throw new Error('no second call');
    expect(call.headers['webhook-id']).toBe(`msg_${id}_1`);
    expect(verified(call, secret)).toMatchObject({
      type: 'lead.updated',
      data: { id, message: 'Is it still there?', updates: [{ n: 1, message: 'And this one?' }] },
    });
  });

  test('whatever is no 2xx is tried again, the sooner the fewer the tries; Retry-After is heeded', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    receiver.answer({ status: 500 }, { status: 301, headers: { location: receiver.url } });
    receiver.answer({ status: 404 }, { status: 503, headers: { 'retry-after': '7200' } });
    const id = await leave(slug);
    const waits: number[] = [];
    for (const error of ['http_500', 'http_301', 'http_404', 'http_503']) {
      const now = await delivery(id);
      expect(now).toMatchObject({ status: 'pending', attempts: waits.length + 1, last_error: error });
      waits.push(Math.round((Date.parse(now?.next_try_at ?? '') - Date.now()) / 60_000));
      await due(id);
      await deliverLeads(ports);
    }
    expect(waits).toEqual([1, 5, 15, 120]);
    expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 5 });
    const ids = new Set(receiver.calls.map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([`msg_${id}`]);
    for (const call of receiver.calls) expect(verified(call, secret).data.id).toBe(id);
  });

  test('410 means never again', async () => {
    const { slug } = await newDealer({ lead_webhook_url: receiver.url });
    receiver.answer({ status: 410 });
    expect(await delivery(await leave(slug))).toMatchObject({
      ...{ status: 'dead', last_error: 'http_410', next_try_at: null },
    });
  });

  test.each([
    ['an address that is not public', 'https://127.0.0.1/leads', 'address_refused'],
    ['a name of this network', 'https://metadata.internal/leads', 'dns_failed'],
    ['another port', 'https://localhost:1/leads', 'url_refused'],
  ])('%s is never called', async (_, url, reason) => {
    const { slug } = await newDealer({ lead_webhook_url: url });
    expect(await delivery(await leave(slug))).toMatchObject({ status: 'pending', last_error: reason });
  });

  test('plain http is not called either, however it got there', async () => {
    const { slug } = await newDealer({ lead_webhook_url: receiver.url });
    const url = receiver.url.replace('https', 'http');
    const secret = { value: 'whsec_', replaces: false };
    await ports.dealers.of(account.id).change(slug, { lead_webhook_url: url }, secret);
    expect(await delivery(await leave(slug))).toMatchObject({ status: 'pending', last_error: 'url_refused' });
  });

  test('what is not https is refused when it is set', async () => {
    const urls = [
      receiver.url.replace('https', 'http'),
      'ftp://x.example',
      'https://u:p@x.example',
      'x',
      'https://',
    ];
    for (const lead_webhook_url of urls) {
      const refused = await account.call('POST', '/v1/dealers', {
        slug: uniqueSlug(),
        name: 'X',
        lead_webhook_url,
      });
      expect([refused.status, refused.body.error.details.field]).toEqual([400, 'lead_webhook_url']);
    }
  });
});

describe('the outbox', () => {
  test('a crash between sending and writing it down sends again, under the same ids', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example', lead_webhook_url: receiver.url });
    const crashing: Leads = {
      ...{ of: (accountId) => ports.leads.of(accountId), claim: (...args) => ports.leads.claim(...args) },
      ...{
        postpone: (...args) => ports.leads.postpone(...args),
        retry: (...args) => ports.leads.retry(...args),
        bury: (...args) => ports.leads.bury(...args),
      },
      ...{ sweep: (days) => ports.leads.sweep(days), delivered: () => Promise.reject(new Error('crash')) },
    };
    const hold = await ports.leads
      .of(account.id)
      .capture(
        { dealer: slug, visitorId: 'v-crash', conversationId: null },
        `conv_${slug}`,
        newLead(`lead_${slug.replaceAll('-', '')}`),
      );
    const id = hold.leadId;
    await expect(deliverLeads({ ...ports, leads: crashing })).rejects.toThrow('crash');
    expect((await lead(id)).delivery).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    await deliverLeads(ports);
    expect(smtp.mails).toHaveLength(1);
    await due(id);
    await deliverLeads(ports);
    expect((await lead(id)).delivery).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    expect(smtp.mails.map(({ messageId }) => messageId)).toEqual([
      `<${id}@trucks.example>`,
      `<${id}@trucks.example>`,
    ]);
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${id}`, `msg_${id}`]);
  });

  test('a holder who slept through its lease changes nothing', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451);
    const id = await leave(slug);
    await due(id);
    const [slow] = (await ports.leads.claim('email', 50, 60)).filter(({ leadId }) => leadId === id);
    await due(id);
    const [quick] = (await ports.leads.claim('email', 50, 60)).filter(({ leadId }) => leadId === id);
    if (!slow || !quick) throw new Error('not claimed');
    expect(await ports.leads.delivered(slow)).toBe(false);
    expect(await ports.leads.bury(slow, 'x')).toBe(false);
    expect(await ports.leads.retry(slow, 'x', 1)).toBe(false);
    expect(await ports.leads.delivered(quick)).toBe(true);
    expect(await ports.leads.delivered(quick)).toBe(false);
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
    await due(id);
    await deliverLeads({ ...ports, mailer }, 1_000);
    expect((await lead(id)).delivery).toMatchObject([
      { kind: 'email', status: 'pending', last_error: 'timeout' },
      { kind: 'webhook', status: 'delivered' },
    ]);
    // Ends only when the connection is closed.
    await new Promise((resolve) => dripping.close(resolve));
  });

  test('a dealer whose receiver hangs keeps two workers, and no other dealer waiting', async () => {
    const [slow, other] = await Promise.all([1, 2].map(() => newDealer({ lead_webhook_url: receiver.url })));
    if (!slow || !other) throw new Error('no dealers');
    const hanging = receiver.url.replace('/leads', '/hanging');
    await account.call('PATCH', '/v1/dealers', { slug: slow.slug, lead_webhook_url: hanging });
    const capture = ({ slug }: { slug: string }) =>
      ports.leads
        .of(account.id)
        .capture(
          { dealer: slug, visitorId: newUuid(), conversationId: null },
          `conv_${newUuid()}`,
          newLead(`lead_${newUuid().replaceAll('-', '')}`),
        );
    for (let n = 0; n < 20; n++) await capture(slow);
    const { leadId } = await capture(other);
    const released = Promise.withResolvers<void>();
    let calls = 0;
    const fetcher: Ports['fetcher'] = {
      close: () => undefined,
      async fetch(request) {
        if (request.url !== hanging) return ports.fetcher.fetch(request);
        calls += 1;
        await released.promise;
        throw new OutboundFailure('timeout', 'no answer');
      },
    };
    const running = deliverLeads({ ...ports, fetcher });
    await vi.waitFor(
      async () => expect(await delivery(leadId)).toMatchObject({ status: 'delivered' }),
      20_000,
    );
    expect(calls).toBe(2);
    released.resolve();
    await running;
    expect(calls).toBe(20);
  });

  test('runs side by side share the work: nothing is sent twice', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const captured = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        ports.leads
          .of(account.id)
          .capture(
            { dealer: slug, visitorId: `v-${n}`, conversationId: null },
            `conv_${slug}_${n}`,
            newLead(`lead_${n}${slug.replaceAll('-', '')}`),
          ),
      ),
    );
    const copy = () => ({ ...ports, leads: { ...bound(ports.leads) } });
    await Promise.all([deliverLeads(copy()), deliverLeads(copy()), deliverLeads(copy())]);
    const sent = smtp.mails.map(({ messageId }) => messageId).sort();
    expect(sent).toEqual(captured.map(({ leadId }) => `<${leadId}@trucks.example>`).sort());
  });

  test('after three days of trying a delivery is dead, and the lead shows it', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451, 451, 451);
    const id = await leave(slug);
    await age(id, "created_at = now() - interval '71 hours', attempts = 20, due_at = now()");
    await deliverLeads(ports);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 21 });
    await age(id, "created_at = now() - interval '73 hours', due_at = now()");
    await deliverLeads(ports);
    const { body } = await account.call('GET', `/v1/leads?dealer=${slug}`);
    expect(body.leads[0].delivery).toEqual([
      {
        kind: 'email',
        status: 'dead',
        attempts: 22,
        last_error: 'smtp_451',
        next_try_at: null,
        delivered_at: null,
      },
    ]);
  });

  test('an outage of ours for days is no reason to give up after one try', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451, 451);
    const id = await leave(slug);
    await age(id, "created_at = now() - interval '9 days', due_at = now()");
    await deliverLeads(ports);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 2 });
  });

  test('the address as it is when it is sent counts, and the secret too', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: 'https://localhost:1/old' });
    const id = await leave(slug);
    const changed = await account.call('PATCH', '/v1/dealers', {
      ...{ slug, lead_webhook_url: receiver.url, rotate_lead_webhook_secret: true },
    });
    const rotated: string = changed.body.lead_webhook_secret;
    expect(rotated).not.toBe(secret);
    await Promise.allSettled(background);
    receiver.calls.length = 0;
    await due(id);
    await deliverLeads(ports);
    const [call] = receiver.calls;
    if (!call) throw new Error('no call');
    expect(verified(call, rotated).data.id).toBe(id);
    expect(() => verified(call, secret)).toThrow();
  });

  test('what was erased is not sent', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451);
    const id = await leave(slug);
    await due(id);
    await account.call('DELETE', `/v1/leads/${id}`);
    await deliverLeads(ports);
    expect(smtp.mails).toEqual([]);
  });

  test('the cron sends what is due and tells how much', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451);
    const id = await leave(slug);
    await due(id);
    const cron = await service.call('GET', '/api/cron/leads', { token: 'test-cron-secret-0123456789' });
    expect(cron.body).toMatchObject({ job: 'leads', outcome: 'done', result: { delivered: 1 } });
    expect(await delivery(id)).toMatchObject({ status: 'delivered' });
  });
});

/** The port's methods as an object of its own: another process, to whoever looks at identity. */
function bound(leads: Leads): Leads {
  return {
    ...{ of: (accountId) => leads.of(accountId), claim: (...args) => leads.claim(...args) },
    ...{ retry: (...args) => leads.retry(...args), bury: (...args) => leads.bury(...args) },
    ...{ sweep: (days) => leads.sweep(days), delivered: (job) => leads.delivered(job) },
    postpone: (...args) => leads.postpone(...args),
  };
}
