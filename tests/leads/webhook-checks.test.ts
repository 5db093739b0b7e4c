import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { uniqueSlug } from '../support/samples/samples.ts';
import { listen } from '../support/servers/ports.ts';
import { type Call, verified } from '../support/servers/webhook-receiver.ts';
import { account, allow, newDealer, receiveLeads, receiver, service } from './dealers-mail.ts';

/** A developer sees whether a webhook works before the first lead comes, on the own machine as well. */

receiveLeads();

const sendTest = (slug: string) => account.call('POST', `/v1/dealers/${slug}/test-lead`);
const readCheck = async (slug: string) =>
  (await account.call('GET', `/v1/dealers/${slug}`)).body.lead_webhook_check;

test('a test lead is answered with what was sent, signed, and what the receiver answered', async () => {
  const { slug, secret } = await newDealer({ lead_webhook_url: receiver.url });
  const { body } = await sendTest(slug);
  expect(body).toMatchObject({ outcome: 'delivered', reason: null, response: { status: 204 } });
  const [call] = receiver.calls;
  expect(call?.body).toBe(body.request.body);
  expect(call?.headers).toMatchObject(body.request.headers);
  // Who has no receiver that is reached verifies the answer itself.
  const event = { type: 'lead.created', data: { dealer: slug } };
  expect(verified(body.request as Call, secret)).toMatchObject(event);
  expect((await account.call('GET', '/v1/leads')).body.leads).toEqual([]);
});

test('how the ping and the tests of a webhook ended stands on the dealer, until its URL is saved', async () => {
  receiver.answer({ status: 500 });
  const { slug } = await newDealer({ lead_webhook_url: receiver.url });
  expect(await readCheck(slug)).toMatchObject({ outcome: 'failed', reason: 'http_500' });
  await sendTest(slug);
  expect(await readCheck(slug)).toMatchObject({ outcome: 'delivered', reason: null });
  const answer = await account.call('PATCH', '/v1/dealers', { slug, name: 'Y' });
  expect(answer.body.lead_webhook_check.outcome).toBe('delivered');
  for (const [url, reason] of [
    [receiver.url, null],
    ['https://crm.invalid/leads', 'dns_failed'],
  ]) {
    const saved = await account.call('PATCH', '/v1/dealers', { slug, lead_webhook_url: url });
    expect(saved.body.lead_webhook_check).toBeNull();
    await service.settled();
    expect(await readCheck(slug)).toMatchObject({ reason });
  }
  const { slug: other } = await newDealer({});
  const refusal = { outcome: 'refused', reason: 'no_address', request: null };
  expect((await sendTest(other)).body).toMatchObject(refusal);
});

test('a receiver on this machine, without TLS, is called where OUTBOUND_ALLOW names it and only there', async () => {
  const plain = createServer((_, response) => response.writeHead(204).end());
  const port = await listen(plain);
  onTestFinished(() => void plain.close());
  const change = { slug: uniqueSlug(), name: 'X', lead_webhook_url: `http://127.0.0.1:${port}/leads` };
  expect((await account.call('POST', '/v1/dealers', change)).status).toBe(400);
  allow.add(`127.0.0.1:${port}`);
  expect((await account.call('POST', '/v1/dealers', change)).status).toBe(201);
  expect((await sendTest(change.slug)).body.outcome).toBe('delivered');
});
