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
import { freePort } from '../support/servers/ports.ts';
import { verified } from '../support/servers/webhook-receiver.ts';
import { goodTruck } from '../support/service/service.ts';
import {
  account,
  callAt,
  delivery,
  due,
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
  test('the plain text is the ADF and nothing else; a reply goes to the visitor', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example', email: 'sales@dealer.example' });
    const truck = goodTruck({ dealer: slug });
    await account.post(truck);
    const id = await leave(slug, {
      name: 'Jané Doe',
      vin: truck.vin,
      message: `Ünïcode ${'x'.repeat(1_500)}`,
    });
    const [mail, ...more] = smtp.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      from_: FROM,
      to_: ['crm@dealer.example'],
      messageId: `<${id}@trucks.example>`,
      subject: 'New lead: 2019 Freightliner Cascadia, Lone Star Trucks',
      attachments: [],
      replyTo: [{ name: 'Jané Doe', address: 'jane@visitor.example' }],
    });
    const adf = readMailedAdf(mail);
    expect(textAt(adf, 'prospect/id')).toBe(id);
    expect(textAt(adf, 'prospect/customer/contact/name')).toBe('Jané Doe');
    expect(textAt(adf, 'prospect/customer/comments')).toContain('Ünïcode xxx');
    expect(textAt(adf, 'prospect/vehicle/vin')).toBe(truck.vin);
    expect(await delivery(id)).toEqual({
      kind: 'email',
      status: 'delivered',
      attempts: 1,
      last_error: null,
      next_try_at: null,
      delivered_at: expect.any(String),
    });
  });

  test('the same mail is for a person on a phone: name, a number to tap, the truck, what was agreed to from which page, which is no link', async () => {
    const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
    const truck = goodTruck({ dealer: slug, images: [] });
    await account.post(truck);
    const consent = { text: 'You may call me.', page: 'https://dealer.example/trucks/1' };
    await leave(slug, { name: '<b>Jané</b>', vin: truck.vin, message: 'Is it there?\n<script>', consent });
    const html = smtp.mails[0]?.html ?? '';
    expect(html).toContain('&lt;b&gt;Jané&lt;/b&gt;');
    expect(html).toContain('href="tel:+12105550142"');
    expect(html).toContain('href="mailto:jane@visitor.example"');
    expect(html).toContain('2019 Freightliner Cascadia');
    expect(html).toContain('“You may call me.”');
    expect(html).toContain(`Sent from ${consent.page}</p>`);
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
    const truck = goodTruck({ dealer: slug, url: 'https://dealer.example/trucks/1' });
    await account.post(truck);
    const visitorId = crypto.randomUUID();
    const id = await leave(slug, { visitorId });
    const page = 'https://dealer.example/trucks/list';
    const again = { message: 'And this one?', vin: truck.vin, consent: { text: 'Yes', page } };
    await leave(slug, { visitorId, ...again });
    const [, mail, ...more] = smtp.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Added to a lead: 2019 Freightliner Cascadia, Lone Star Trucks',
      messageId: `<${id}_1@trucks.example>`,
      replyTo: [{ name: 'Jane Doe', address: 'jane@visitor.example' }],
    });
    const adf = readMailedAdf(mail);
    expect(textAt(adf, 'prospect/id')).toBe(`${id}_1`);
    expect(textAt(adf, 'prospect/customer/comments')).toContain(
      `And this one?\n\nAdded to the enquiry ${id}.`,
    );
    expect(textAt(adf, 'prospect/vehicle/vin')).toBe(truck.vin);
    expect(mail?.html).toContain('Added to an earlier enquiry for');
    expect(mail?.html).toMatch(/First enquiry.*\n.*Is it still there\?/);
    expect(mail?.html).toContain(`href="https://trucks.example/dashboard/leads/${id}"`);
    const { updates } = await lead(id);
    expect(updates[0]?.delivery).toMatchObject([{ kind: 'email', status: 'delivered', attempts: 1 }]);
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

  test('SMTP over TLS with a password; a wrong one and an untrusted server are told apart', async () => {
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
  });

  test('mail leaves the machine encrypted or not at all, whatever the URL asks for', async () => {
    // Reaches the server on loopback under an address that is not written as one.
    const plain = (query: string) => smtpMailer({ url: `smtp://0.0.0.0:${smtp.port}${query}`, from: FROM });
    for (const query of ['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])
      expect(await findReason(plain(query)), query).toBe('smtp_tls_failed');
    expect(smtp.mails).toEqual([]);
  });

  test('a server that is not there is unreachable', async () => {
    expect(await findReason(smtpMailer({ url: `smtp://127.0.0.1:${await freePort()}`, from: FROM }))).toBe(
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
    expect(await findReason(folderMailer('/dev/null/outbox'))).toBe('folder_unwritable');
    rmSync(folder, { recursive: true });
  });
});

describe('by webhook', () => {
  test('the lead is posted as GET shows it, under the dealer’s signature', async () => {
    const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const id = await leave(slug);
    const call = callAt();
    expect(receiver.calls).toHaveLength(1);
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
    const call = callAt(1);
    expect(call.headers['webhook-id']).toBe(`msg_${id}_1`);
    expect(verified(call, secret)).toMatchObject({
      type: 'lead.updated',
      data: { id, message: 'Is it still there?', updates: [{ n: 1, message: 'And this one?' }] },
    });
  });

  test('whatever is no 2xx is tried again, the sooner the fewer the tries; Retry-After is heeded, and 410 means never again', async () => {
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
    receiver.answer({ status: 410 });
    const gone = { status: 'dead', last_error: 'http_410', next_try_at: null };
    expect(await delivery(await leave(slug, { visitorId: 'gone' }))).toMatchObject(gone);
    const tries = receiver.calls.slice(0, 5);
    expect(new Set(tries.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`msg_${id}`]));
    for (const call of tries) expect(verified(call, secret).data.id).toBe(id);
  });

  test('neither plain http nor an address that is not public is called, however it got there', async () => {
    const { slug } = await newDealer({ lead_webhook_url: receiver.url });
    const options = { secret: 'whsec_', rotates: false, maxDealers: 0 };
    for (const [url, reason] of [
      ['http://crm.dealer.example/leads', 'url_refused'],
      ['https://127.0.0.1/leads', 'address_refused'],
      ['https://metadata.internal/leads', 'address_refused'],
      ['https://localhost:1/leads', 'url_refused'],
    ] as const) {
      await writeDealer(ports.db, account.id, slug, { lead_webhook_url: url }, options);
      expect(await delivery(await leave(slug))).toMatchObject({ status: 'pending', last_error: reason });
    }
  });
});
