import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeDealer } from '../../lib/accounts/dealers/queries.ts';
import { deliverLeads } from '../../lib/leads/delivery/deliver.ts';
import { folderMailer } from '../../lib/outside/mailer/folder.ts';
import type { Mailer } from '../../lib/outside/mailer/mailer.ts';
import { smtpMailer } from '../../lib/outside/mailer/smtp.ts';
import { LOCALHOST_TLS } from '../fixtures/localhost-tls.ts';
import { readAdf, textAt } from '../support/oracles/adf.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { verified } from '../support/servers/webhook-receiver.ts';
import { goodTruck } from '../support/service/service.ts';
import {
  account,
  callAt,
  deliverLater,
  delivery,
  FROM,
  lead,
  leave,
  newDealer,
  ports,
  receiveLeads,
  receiver,
  smtp,
} from './dealers-mail.ts';

receiveLeads();

const readMailedAdf = (mail: (typeof smtp.mails)[number] | undefined) => readAdf(mail?.text?.trim() ?? '');

describe('by mail', () => {
  test('the plain text is the ADF and nothing else, the other part is for a person on a phone; a reply goes to the visitor', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example', email: 'sales@dealer.example' });
    const truck = goodTruck({ dealer: slug, images: [] });
    await account.post(truck);
    const [name, page] = ['<b>Jané</b>', 'https://dealer.example/trucks/1'];
    const message = `Ünïcode\n<script>${'x'.repeat(1_500)}`;
    const id = await leave(slug, {
      name,
      vin: truck.vin,
      message,
      consent: { text: 'You may call me.', page },
    });
    expect(smtp.mails).toMatchObject([
      {
        from_: FROM,
        to_: ['crm@dealer.example'],
        messageId: `<${id}@trucks.example>`,
        subject: 'New lead: 2019 Freightliner Cascadia, Lone Star Trucks',
        attachments: [],
        replyTo: [{ name, address: 'jane@visitor.example' }],
      },
    ]);
    const adf = readMailedAdf(smtp.mails[0]);
    expect(textAt(adf, 'prospect/id')).toBe(id);
    expect(textAt(adf, 'prospect/customer/comments')).toContain(message);
    const html = smtp.mails[0]?.html;
    for (const part of [
      '&lt;b&gt;Jané&lt;/b&gt;',
      'href="tel:+12105550142"',
      'href="mailto:jane@visitor.example"',
      '2019 Freightliner Cascadia',
      '“You may call me.”',
      `Sent from ${page}</p>`,
    ])
      expect(html).toContain(part);
    expect(html).not.toMatch(/<(script|b)>/);
    expect(await delivery(id)).toEqual({
      kind: 'email',
      status: 'delivered',
      attempts: 1,
      last_error: null,
      next_try_at: null,
      delivered_at: expect.any(String),
    });
  });

  test('a server that says later, or no, is asked again; its words, which may quote addresses, are not kept', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    smtp.answer(451, 550);
    const id = await leave(slug);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 1, last_error: 'smtp_451' });
    await deliverLater(id);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 2, last_error: 'smtp_550' });
    await deliverLeads(ports);
    expect((await delivery(id))?.attempts).toBe(2);
    await deliverLater(id);
    expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 3, last_error: null });
    expect(smtp.mails).toHaveLength(1);
  });

  test('an update of a lead is sent at once as a mail of its own', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const truck = goodTruck({ dealer: slug });
    await account.post(truck);
    const visitorId = crypto.randomUUID();
    const id = await leave(slug, { visitorId });
    await leave(slug, { visitorId, message: 'And this one?', vin: truck.vin });
    const [, mail, ...more] = smtp.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Added to a lead: 2019 Freightliner Cascadia, Lone Star Trucks',
      messageId: `<${id}_1@trucks.example>`,
      replyTo: [{ name: 'Jane Doe', address: 'jane@visitor.example' }],
    });
    const adf = readMailedAdf(mail);
    expect(textAt(adf, 'prospect/id')).toBe(`${id}_1`);
    expect(textAt(adf, 'prospect/vehicle/vin')).toBe(truck.vin);
    const comments = `And this one?\n\nAdded to the enquiry ${id}.`;
    expect(textAt(adf, 'prospect/customer/comments')).toContain(comments);
    expect(mail?.html).toMatch(
      /Added to an earlier enquiry for[\s\S]*First enquiry.*\n.*Is it still there\?/,
    );
    expect(mail?.html).toContain(`href="https://trucks.example/dashboard/leads/${id}"`);
    const delivered = { kind: 'email', status: 'delivered', attempts: 1 };
    expect((await lead(id)).updates).toMatchObject([{ delivery: [delivered] }]);
  });

  test('of a test links to no lead, since none is stored', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const { body } = await account.call('POST', `/v1/dealers/${slug}/test-lead?kind=email`);
    expect(body.outcome).toBe('delivered');
    expect(smtp.mails[0]?.html).toContain('Test Lead');
    expect(smtp.mails[0]?.html).not.toContain('/dashboard/leads');
  });

  test('whose format is adf has no part for a person', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example', lead_email_format: 'adf' });
    await leave(slug);
    expect(textAt(readMailedAdf(smtp.mails[0]), 'prospect/customer/contact/name')).toBe('Jane Doe');
    expect(smtp.mails[0]?.raw).not.toContain('text/html');
  });
});

describe('the mailers', () => {
  const mail = {
    to: 'crm@dealer.example',
    subject: 'Hi',
    text: 'Hello',
    id: 'lead_1',
    replyTo: { name: 'A, "B" <c@d.example>', address: 'jane@visitor.example' },
  };
  const never = new AbortController().signal;
  const findReason = (mailer: Mailer) =>
    mailer.send(mail, never).then(
      () => 'sent',
      (error: { reason?: string }) => error.reason,
    );

  test('SMTP over TLS with a password; a wrong one and an untrusted server are told apart, as is none', async () => {
    const secured = await startMailServer({
      secure: true,
      ...LOCALHOST_TLS,
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        password === 'p@ss' && username === 'me' ? done(null, { user: 'me' }) : done(new Error('no')),
    });
    const at = (login: string, host = 'localhost') =>
      smtpMailer({ url: `smtps://${login}@${host}:${secured.port}`, from: FROM });
    expect(await findReason(at('me:p%40ss'))).toBe('sent');
    expect(secured.mails[0]?.replyTo).toEqual([mail.replyTo]);
    expect(await findReason(at('me:wrong'))).toBe('smtp_535');
    expect(await findReason(at('me:p%40ss', '127.0.0.2'))).toMatch(/^smtp_(unreachable|tls_failed)$/);
    await secured.close();
    expect(await findReason(at('me:p%40ss'))).toBe('smtp_unreachable');
  });

  test('mail leaves the machine encrypted or not at all, whatever the URL asks for', async () => {
    // Reaches the server on loopback under an address that is not written as one.
    const plain = (query: string) => smtpMailer({ url: `smtp://0.0.0.0:${smtp.port}${query}`, from: FROM });
    for (const query of ['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])
      expect(await findReason(plain(query)), query).toBe('smtp_tls_failed');
    expect(smtp.mails).toEqual([]);
  });

  test('without a server mails are files that a mail program opens, one per lead however often it is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
    const mailer = folderMailer(join(folder, 'outbox'));
    for (let n = 0; n < 2; n++) await mailer.send(mail, never);
    expect(readdirSync(join(folder, 'outbox'))).toEqual(['lead_1.eml']);
    const text = readFileSync(join(folder, 'outbox/lead_1.eml'), 'utf8');
    expect(text).toMatch(/^Message-ID: <lead_1@localhost>\r?$/m);
    expect(await findReason(folderMailer('/dev/null/outbox'))).toBe('folder_unwritable');
    rmSync(folder, { recursive: true });
  });
});

describe('by webhook', () => {
  test('the lead is posted as GET shows it, under the dealer’s signature; an update with the whole lead', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const visitorId = crypto.randomUUID();
    const id = await leave(slug, { visitorId });
    const call = callAt();
    expect(call.headers).toMatchObject({ 'webhook-id': `msg_${id}`, 'content-type': 'application/json' });
    const { delivery: _, ...data } = (await account.call('GET', `/v1/leads/${id}`)).body;
    expect(verified(call, secret)).toEqual({ type: 'lead.created', timestamp: data.created_at, data });
    expect(() => verified(call, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toThrow();
    expect(() => verified({ ...call, body: call.body.replace('Jane', 'Joan') }, secret)).toThrow();
    expect(await delivery(id)).toMatchObject({ kind: 'webhook', status: 'delivered', attempts: 1 });
    await leave(slug, { visitorId, message: 'And this one?' });
    expect(receiver.calls).toHaveLength(2);
    expect(callAt(1).headers['webhook-id']).toBe(`msg_${id}_1`);
    expect(verified(callAt(1), secret)).toMatchObject({
      type: 'lead.updated',
      data: { id, message: 'Is it still there?', updates: [{ n: 1, message: 'And this one?' }] },
    });
  });

  test('whatever is no 2xx is tried again, the sooner the fewer the tries; Retry-After is heeded, and 410 means never again', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    receiver.answer({ status: 500 }, { status: 301, headers: { location: receiver.url } });
    receiver.answer({ status: 404 }, { status: 503, headers: { 'retry-after': '7200' } });
    const id = await leave(slug);
    const tries = [];
    for (let attempts = 1; attempts < 5; attempts++) {
      const now = await delivery(id);
      expect(now).toMatchObject({ status: 'pending', attempts });
      const wait = Math.round((Date.parse(now?.next_try_at ?? '') - Date.now()) / 60_000);
      tries.push([now?.last_error, wait]);
      await deliverLater(id);
    }
    expect(Object.fromEntries(tries)).toEqual({ http_500: 1, http_301: 5, http_404: 15, http_503: 120 });
    expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 5 });
    expect(receiver.calls).toHaveLength(5);
    for (const call of receiver.calls) {
      expect(call.headers['webhook-id']).toBe(`msg_${id}`);
      expect(verified(call, secret).data.id).toBe(id);
    }
    receiver.answer({ status: 410 });
    const deadDelivery = { status: 'dead', last_error: 'http_410', next_try_at: null };
    expect(await delivery(await leave(slug))).toMatchObject(deadDelivery);
  });

  test('neither plain http nor an address that is not public is called, however it got there', async () => {
    const { slug } = await newDealer({ lead_webhook_url: receiver.url });
    const options = { secret: 'whsec_', rotates: false, maxDealers: 0 };
    for (const [url, reason] of [
      ['http://crm.dealer.example/leads', 'url_refused'],
      ['https://127.0.0.1/leads', 'address_refused'],
      ['https://localhost:1/leads', 'url_refused'],
    ] as const) {
      await writeDealer(ports.db, account.id, slug, { lead_webhook_url: url }, options);
      expect(await delivery(await leave(slug))).toMatchObject({ status: 'pending', last_error: reason });
    }
  });
});
