import { afterAll, beforeEach, expect, test } from 'vitest';
import { readAttention } from '../../../lib/accounts/overview.ts';
import { storeEnquiry } from '../../../lib/leads/queries/capture.ts';
import { smtpMailer } from '../../../lib/outside/mailer/smtp.ts';
import { newLead } from '../../support/samples/leads.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import {
  inviteLink,
  newBrowser,
  signedIn,
  signedInOperator,
  signInByCode,
  type TestBrowser,
  toPlainText,
} from '../../support/service/dashboard.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService, type TestAccount } from '../../support/service/service.ts';

/** Mails to owners, by a real SMTP server: of each kind at most one a day, and one click ends them. */

let account: TestAccount;
let owner: string;

const [smtp, server] = await Promise.all([startMailServer(), startFeedServer()]);
const service = await startService((base) => {
  const ports = server.ports(base);
  return {
    ...ports,
    mailer: smtpMailer({ url: `smtp://127.0.0.1:${smtp.port}`, from: 'service@trucks.example' }),
    settings: { ...base.settings, ...ports.settings, mail: 'smtp', publicUrl: 'https://trucks.example' },
  };
});
afterAll(() => Promise.all([smtp.close(), server.close()]));
beforeEach(async () => {
  // What other suites on this database raised is theirs.
  await queryRows(`delete from jobs where kind = 'alert'`);
  account = await service.newAccount();
  owner = `owner-${account.id}@dealer.example`;
  await enter(owner);
  smtp.mails.length = 0;
});

/** A browser of this person, who signed in by a code. */
async function enter(email: string): Promise<TestBrowser> {
  await inviteLink(service, account, { email });
  const browser = newBrowser(service);
  await signInByCode(browser, email, smtp);
  return browser;
}

const cron = (job: string) => service.call('GET', `/api/cron/${job}`, { token: CRON_SECRET });
/** Without what tells owners of acts. */
const ownMails = () =>
  smtp.mails.filter(({ to_, text }) => to_[0]?.endsWith(owner) && text?.includes('at most once a day'));
const PEOPLE = '/dashboard/settings/people';
const FEED = 'Check a feed';
const ISSUES = 'Trucks were rejected';
/** The subjects of all mails so far, once the due ones are sent. */
async function sendDue() {
  expect((await cron('due')).status).toBe(200);
  return ownMails().map(({ subject }) => subject);
}
async function age(kind: string, interval: string) {
  const earlier = (time: string) =>
    `${time} = (${time} at time zone 'utc' - $3::interval) at time zone 'utc'`;
  const values = [account.id, kind, interval];
  const mailed = `update owner_alerts set ${earlier('sent_at')}, ${earlier('seen_at')}`;
  await queryRows(`${mailed} where account_id = $1 and kind = $2`, values);
  const jobs = `update jobs set ${earlier('due_at')} where account_id = $1 and kind = 'alert' and key = $2`;
  await queryRows(jobs, values);
}

async function holdRun() {
  const dealerFeed = await newLot(service, server, { name: 'Nightly' }, account);
  const trucks = cleanTrucks(60);
  dealerFeed.file.serve(toCsv(trucks));
  await dealerFeed.run();
  dealerFeed.file.serve(toCsv(trucks.slice(0, 20)));
  return { lot: dealerFeed, run: await dealerFeed.run() };
}

async function failRun({ file, run }: Awaited<ReturnType<typeof newLot>>): Promise<void> {
  file.serve(500);
  await run();
}

test('a held feed is mailed once within a day, with the way to it; a failing one after that day, and the operator sees it', async () => {
  const { lot: dealerFeed, run } = await holdRun();
  expect(await sendDue()).toEqual([FEED]);
  expect(ownMails()[0]?.text).toContain(
    `https://trucks.example/dashboard/feeds/${dealerFeed.feed}/runs/${run.id}`,
  );
  await failRun(dealerFeed);
  expect(await sendDue()).toHaveLength(1);
  await age('feed', '23 hours 50 minutes');
  expect(await sendDue()).toHaveLength(1);
  await age('feed', '11 minutes');
  expect(await sendDue()).toEqual([FEED, FEED]);
  expect(ownMails()[1]?.text).toContain('“Nightly” failed');
  const { text } = await (await signedInOperator(service)).get('/dashboard/operator/health');
  expect(toPlainText(text)).toMatch(/Nightly failed /);
  expect(text).toContain(`/dashboard/operator/accounts/${account.id}`);
});

test('what has passed by then is not mailed, and a mail that is not taken goes later', async () => {
  const { lot: dealerFeed } = await holdRun();
  await queryRows(`update feed_runs set status = 'succeeded' where account_id = $1 and status = 'held'`, [
    account.id,
  ]);
  expect(await sendDue()).toEqual([]);
  await failRun(dealerFeed);
  smtp.answer(451);
  expect(await sendDue()).toEqual([]);
  await makeJobsDue(account.id);
  expect(await sendDue()).toEqual([FEED]);
});

test('a lead that cannot be delivered is mailed, and needs nobody once it is answered', async () => {
  const saveDealer = (lead_email: string | null) =>
    account.call('POST', '/v1/dealers', { slug: 'lone-star', name: 'Lone Star', lead_email });
  await saveDealer('crm@dealer.example');
  const about = { dealer: 'lone-star', visitorId: 'v', conversationId: null };
  const lead = newLead(`lead_${account.id}`);
  await storeEnquiry(service.ports.db, account.id, about, `conv_${account.id}`, lead);
  await saveDealer(null);
  await sendDue();
  expect(await sendDue()).toEqual(['A lead could not be delivered']);
  await account.call('PATCH', `/v1/leads/${lead.id}`, { status: 'contacted' });
  expect((await readAttention(service.ports.db, account.id)).undelivered).toBe(0);
});

test('first issues are mailed, and others only after a day without any', async () => {
  const reject = () => account.post({ records: [cleanTruck({ price: 12 })] });
  const sendHourly = async () => {
    expect((await cron('housekeeping')).body.outcome).toBe('done');
    return sendDue();
  };
  await reject();
  expect(await sendHourly()).toEqual([ISSUES]);
  await age('issues', '23 hours');
  await reject();
  await sendHourly();
  await age('issues', '2 hours');
  expect(await sendHourly()).toHaveLength(1);
  await queryRows('delete from issues where account_id = $1', [account.id]);
  await age('issues', '25 hours');
  await reject();
  expect(await sendHourly()).toEqual([ISSUES, ISSUES]);
});

const setMails = (browser: TestBrowser, areWanted: boolean) =>
  browser.post(PEOPLE, 'set_mails', { wanted: String(areWanted) });
const expectWanted = async (email: string, alerts: boolean) =>
  expect(await queryRows('select alerts from people where email = $1', [email])).toEqual([{ alerts }]);

test('a program that follows the link ends nothing; the button or one click does, and the settings undo it', async () => {
  await holdRun();
  await sendDue();
  const [{ headers, text } = { headers: [], text: '' }] = ownMails();
  const readHeader = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  expect(readHeader('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const { pathname } = new URL(readHeader('list-unsubscribe').slice(1, -1));
  expect(text).toContain(pathname);
  expect((await service.call('GET', pathname)).text).toContain('<button>');
  await expectWanted(owner, true);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const click = { raw: 'List-Unsubscribe=One-Click', headers: form };
  expect((await service.call('POST', `${pathname}x`, click)).status).toBe(400);
  expect((await service.call('POST', pathname, click)).status).toBe(200);
  await age('feed', '25 hours');
  await holdRun();
  expect(await sendDue()).toHaveLength(1);
  const browser = await signedIn(service, account);
  expect((await setMails(browser, true)).headers.get('location')).toContain('sign-in?fresh');
  await expectWanted(owner, false);
  await signInByCode(browser, owner, smtp);
  expect((await setMails(browser, true)).status).toBe(303);
  await expectWanted(owner, true);
});

test('who ended the mails, was removed and invited again gets none until he asks for them', async () => {
  const email = `second-${owner}`;
  await setMails(await enter(email), false);
  const [{ id } = { id: '' }] = await queryRows<{ id: string }>('select id from people where email = $1', [
    email,
  ]);
  await (await signedIn(service, account)).post(PEOPLE, 'remove', { id });
  const secondVisit = await enter(email);
  await expectWanted(email, false);
  await setMails(secondVisit, true);
  await expectWanted(email, true);
});

test('an owner who was invited, and whose link the inviter opened, gets no mails; names stay out of subjects', async () => {
  const victim = `ceo-${account.id}@victim.example`;
  const browser = await signedIn(service, account, { email: victim });
  expect((await browser.get(PEOPLE)).text).toContain('You get no mails yet');
  const dealerFeed = await newLot(
    service,
    server,
    { name: `Pay now at evil.example ${'!'.repeat(150)}` },
    account,
  );
  await failRun(dealerFeed);
  expect(await sendDue()).toEqual([FEED]);
  expect(ownMails()[0]?.text).toMatch(/^The feed “Pay now at evil\.example !+…?” failed\. Its last run/);
  expect(smtp.mails.filter(({ to_ }) => to_[0] === victim)).toEqual([]);
});

test('a mailbox gets at most 20 mails an hour, over whatever addresses and accounts', async () => {
  await holdRun();
  for (let mail = 0; mail < 22; mail += 1) {
    await queryRows('delete from owner_alerts where account_id = $1', [account.id]);
    await queryRows(
      `insert into jobs (account_id, kind, key) values ($1, 'alert', 'feed') on conflict do nothing`,
      [account.id],
    );
    await sendDue();
  }
  expect(ownMails()).toHaveLength(20);
});
