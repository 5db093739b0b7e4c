import { expect, test } from 'vitest';
import { uniqueIp, uniqueSlug } from '../support/samples/samples.ts';
import { verified } from '../support/servers/webhook-receiver.ts';
import { queryRows } from '../support/service/database.ts';
import {
  account,
  callAt,
  leaveMany,
  newDealer,
  newWidgetKey,
  receiveLeads,
  receiver,
  sendWaiting,
  service,
  smtp,
} from './dealers-mail.ts';

/** Whom leads may be sent to, and how much: a lead form is no cannon, and a webhook’s secret is no plain text. */

receiveLeads();

/** How many leads of a dealer are so far, after so many tries, and why. */
const deliveries = async (slug: string) =>
  (
    await queryRows<{ row: [status: string, tries: number, leads: number, error: string | null] }>(
      `select json_build_array(status, attempts, count(*), last_error) as row from lead_deliveries
       where account_id = $1 and dealer = $2 group by status, attempts, last_error order by status, attempts desc`,
      [account.id, slug],
    )
  ).map(({ row }) => row);

/** In the first mail. */
const confirmLink = () =>
  /href="https:\/\/trucks\.example(\/api\/confirm-address\/[\w.-]+)"/.exec(`${smtp.mails[0]?.html}`)?.[1] ??
  '';

test('an address that nobody confirmed gets 20 mails an hour, over all accounts; the rest waits and says so', async () => {
  const address = `${uniqueSlug()}@victim.example`;
  const { slug } = await newDealer({ lead_email: address });
  await leaveMany(slug, 25);
  expect(smtp.mails).toHaveLength(20);
  expect(await deliveries(slug)).toEqual([
    ['delivered', 1, 20, null],
    ['pending', 0, 5, 'waiting_for_confirmation'],
  ]);
  // The address may be the stranger's own: two an hour reach it whatever others send.
  const stranger = await service.newAccount();
  const { slug: otherSlug } = await newDealer({ lead_email: address }, stranger);
  await leaveMany(otherSlug, 3, stranger.id);
  expect(smtp.mails).toHaveLength(22);
});

/** Leaves leads by the widget's public key as a script does, without a visit: five from each address. */
async function flood(slug: string, count: number): Promise<void> {
  const origin = 'https://dealer.example';
  const token = await newWidgetKey(origin);
  let ip = '';
  for (let n = 0; n < count; n++) {
    if (n % 5 === 0) ip = uniqueIp();
    const visitorId = `${ip} ${n}`;
    const json = { message: 'Hi', dealerSlug: slug, visitorId, email: 'bot@stranger.example' };
    await service.call('POST', '/v1/widget/lead', { token, ip, headers: { origin }, json });
    // Sends that are counted at one moment do not see each other.
    await service.settled();
  }
}

test('320 flagged leads hold up no buyer’s mail: they have a third of an hour’s, the others wait for three days', async () => {
  const { slug } = await newDealer({ lead_email: 'crm@dealer.example' });
  await flood(slug, 320);
  await leaveMany(slug, 1);
  const count = (subject: RegExp) => smtp.mails.filter((mail) => subject.test(`${mail.subject}`)).length;
  expect([count(/^New lead: /), count(/^Lead to check: /)]).toEqual([1, 100]);
  expect(await deliveries(slug)).toEqual([
    ['delivered', 1, 101, null],
    ['pending', 0, 220, 'hourly_limit'],
  ]);
  const text = "update jobs set created_at = now() - interval '73 hours' where account_id = $1";
  await queryRows(text, [account.id]);
  await sendWaiting(slug);
  expect(await deliveries(slug)).toEqual([
    ['dead', 0, 220, 'hourly_limit'],
    ['delivered', 1, 101, null],
  ]);
});

test('while the mail server refuses, nothing is counted: afterwards all leads go out at once', async () => {
  const { slug } = await newDealer({ lead_email: `${uniqueSlug()}@dealer.example` });
  smtp.answer(...Array.from({ length: 24 }, () => 451));
  await leaveMany(slug, 12);
  await sendWaiting(slug);
  expect(smtp.mails).toHaveLength(0);
  await sendWaiting(slug);
  expect(smtp.mails).toHaveLength(12);
});

test('addresses of one mailbox are one address, and an account with many has a limit of its own', async () => {
  const mailbox = uniqueSlug();
  const { slug } = await newDealer({ lead_email: `${mailbox}@stranger.example` });
  await leaveMany(slug, 15);
  await account.call('PATCH', '/v1/dealers', { slug, lead_email: `${mailbox}+x@stranger.example` });
  await leaveMany(slug, 15);
  expect(smtp.mails).toHaveLength(20);
  const other = await service.newAccount();
  smtp.mails.length = 0;
  for (let n = 0; n < 4; n++) {
    const { slug: otherSlug } = await newDealer({ lead_email: `${uniqueSlug()}@stranger.example` }, other);
    await leaveMany(otherSlug, 20, other.id);
  }
  expect(smtp.mails).toHaveLength(60);
});

test('the link in the mail confirms the address with one tap, and what waited is sent', async () => {
  const { slug } = await newDealer({ lead_email: `${uniqueSlug()}@dealer.example` });
  await leaveMany(slug, 22);
  const link = confirmLink();
  const answer = await service.call('GET', link);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('<form method="post"')]);
  await sendWaiting(slug);
  expect(smtp.mails, 'following the link alone confirms nothing').toHaveLength(20);
  expect((await service.call('POST', link)).status).toBe(200);
  await sendWaiting(slug);
  expect(smtp.mails).toHaveLength(22);
  expect(smtp.mails.at(-1)?.html).not.toContain('confirm-address');
  expect((await service.call('POST', `${link}x`)).status).toBe(400);
});

test('one address of a mailbox confirms no other: the mark + need not be a tag everywhere', async () => {
  const [name, host] = [uniqueSlug(), 'victim.example'];
  const { slug } = await newDealer({ lead_email: `${name}+mine@${host}` });
  await leaveMany(slug, 1);
  expect((await service.call('POST', confirmLink())).status).toBe(200);
  await leaveMany(slug, 1);
  await account.call('PATCH', '/v1/dealers', { slug, lead_email: `${name}@${host}` });
  await leaveMany(slug, 1);
  const asksToConfirm = smtp.mails.map(({ html }) => String(html).includes('confirm-address'));
  expect(asksToConfirm).toEqual([true, false, true]);
});

test('a webhook is pinged, signed, when it is set; until it answers it gets 20 calls an hour', async () => {
  receiver.answer({ status: 500 });
  const { slug, secret, ping } = await newDealer({ lead_webhook_url: `${receiver.url}?${uniqueSlug()}` });
  expect(ping && verified(ping, secret)).toMatchObject({ type: 'ping', data: { dealer: slug } });
  receiver.answer(...Array.from({ length: 19 }, () => ({ status: 500 })));
  await leaveMany(slug, 25);
  // With the ping.
  expect(receiver.calls).toHaveLength(19);
  expect(await deliveries(slug)).toEqual([
    ['pending', 1, 19, 'http_500'],
    ['pending', 0, 6, 'waiting_for_confirmation'],
  ]);
});

test('a webhook that answered its ping gets flagged leads up to a third of an hour’s calls; the others wait, and a clean one does not', async () => {
  const { slug } = await newDealer({ lead_webhook_url: `${receiver.url}?${uniqueSlug()}` });
  await flood(slug, 105);
  await leaveMany(slug, 1);
  // A hundred flagged ones and the clean one.
  expect(receiver.calls).toHaveLength(101);
  expect(await deliveries(slug)).toEqual([
    ['delivered', 1, 101, null],
    ['pending', 0, 5, 'hourly_limit'],
  ]);
});

test('a webhook’s secret is in the clear in no table, however it got there', async () => {
  const slug = uniqueSlug();
  const dealer = { slug, name: 'X', lead_webhook_url: `${receiver.url}?${slug}` };
  const post = () => account.call('POST', '/v1/dealers', dealer, { 'Idempotency-Key': slug });
  const first = await post();
  const { lead_webhook_secret: secret } = first.body;
  expect(secret).toMatch(/^whsec_/);
  expect((await post()).body).toEqual(first.body);
  const stored = await queryRows<{ text: string }>(
    `select lead_webhook_secret as text from dealers where account_id = $1 and slug = $2
     union all select body from idempotency_keys where account_id = $1 and key = $3`,
    [account.id, slug, `${account.keyId} ${slug}`],
  );
  expect(stored).toHaveLength(2);
  for (const { text } of stored) expect(text).not.toContain('whsec_');
  await service.settled();
  await leaveMany(slug, 1);
  expect(verified(callAt(-1), secret)).toMatchObject({ type: 'lead.created' });
});
