import { afterAll, beforeEach, expect, test } from 'vitest';
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
  await inviteLink(service, account);
  await signInByCode(newBrowser(service), owner, smtp);
  smtp.mails.length = 0;
});

const cron = (job: string) => service.call('GET', `/api/cron/${job}`, { token: CRON_SECRET });
const due = async () => expect((await cron('due')).status).toBe(200);
/** Without what tells owners of acts. */
const ownMails = () =>
  smtp.mails.filter(({ to_, text }) => to_[0]?.endsWith(owner) && text?.includes('at most once a day'));
const FEED = 'A feed needs you';
const ISSUES = 'Trucks are not listed';
const subjects = () => ownMails().map(({ subject }) => subject);
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
  const lot = await newLot(service, server, { name: 'Nightly' }, account);
  const trucks = cleanTrucks(60);
  lot.file.serve(toCsv(trucks));
  await lot.run();
  lot.file.serve(toCsv(trucks.slice(0, 20)));
  return { lot, run: await lot.run() };
}

test('a held feed is mailed once within a day, with the way to it; a failing one after that day', async () => {
  const { lot, run } = await holdRun();
  await due();
  expect(subjects()).toEqual([FEED]);
  expect(ownMails()[0]?.text).toContain(`https://trucks.example/dashboard/feeds/${lot.feed}/runs/${run.id}`);
  lot.file.serve(500);
  await lot.run();
  await due();
  expect(subjects()).toHaveLength(1);
  await age('feed', '23 hours 50 minutes');
  await due();
  expect(subjects()).toHaveLength(1);
  await age('feed', '11 minutes');
  await due();
  expect(subjects()).toEqual([FEED, FEED]);
  expect(ownMails()[1]?.text).toContain('“Nightly” failed');
});

test('what has passed by then is not mailed, and a mail that is not taken goes later', async () => {
  const { lot } = await holdRun();
  lot.file.serve(toCsv(cleanTrucks(60)));
  await queryRows(`update feed_runs set status = 'succeeded' where account_id = $1 and status = 'held'`, [
    account.id,
  ]);
  await due();
  expect(subjects()).toEqual([]);
  lot.file.serve(500);
  await lot.run();
  smtp.answer(451);
  await due();
  expect(subjects()).toEqual([]);
  await makeJobsDue(account.id);
  await due();
  expect(subjects()).toEqual([FEED]);
});

test('a lead that cannot be delivered is mailed', async () => {
  await account.call('POST', '/v1/dealers', { slug: 'lone-star', name: 'Lone Star' });
  const lead = newLead(`lead_${account.id}`);
  await account.call('PATCH', '/v1/dealers', { slug: 'lone-star', lead_email: 'crm@dealer.example' });
  const about = { dealer: 'lone-star', visitorId: 'v', conversationId: null };
  await storeEnquiry(service.ports.db, account.id, about, `conv_${account.id}`, lead);
  await account.call('PATCH', '/v1/dealers', { slug: 'lone-star', lead_email: null });
  await due();
  await due();
  expect(subjects()).toEqual(['A lead could not be delivered']);
});

test('first issues are mailed, and others only after a day without any', async () => {
  const reject = () => account.post({ records: [cleanTruck({ price: 12 })] });
  const hour = async () => {
    expect((await cron('housekeeping')).body.outcome).toBe('done');
    await due();
  };
  await reject();
  await hour();
  expect(subjects()).toEqual([ISSUES]);
  await age('issues', '23 hours');
  await reject();
  await hour();
  await age('issues', '2 hours');
  await hour();
  expect(subjects()).toHaveLength(1);
  await queryRows('delete from issues where account_id = $1', [account.id]);
  await age('issues', '25 hours');
  await reject();
  await hour();
  expect(subjects()).toEqual([ISSUES, ISSUES]);
});

test('a program that follows the link ends nothing; the button or one click does, and the settings undo it', async () => {
  await holdRun();
  await due();
  const [mail] = ownMails();
  const readHeader = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? '';
  expect(readHeader('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const { pathname } = new URL(readHeader('list-unsubscribe').slice(1, -1));
  expect(mail?.text).toContain(pathname);
  const expectWanted = async (alerts: boolean) =>
    expect(await queryRows('select alerts from people where account_id = $1', [account.id])).toEqual([
      { alerts },
    ]);
  const page = await service.call('GET', pathname);
  expect([page.status, page.text.includes('<button>')]).toEqual([200, true]);
  await expectWanted(true);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const click = { raw: 'List-Unsubscribe=One-Click', headers: form };
  expect((await service.call('POST', `${pathname}x`, click)).status).toBe(400);
  expect((await service.call('POST', pathname, click)).status).toBe(200);
  await expectWanted(false);
  await age('feed', '25 hours');
  await holdRun();
  await due();
  expect(subjects()).toHaveLength(1);
  const browser = await signedIn(service, account);
  const people = '/dashboard/settings/people';
  const byLink = await browser.post(people, 'set_mails', { wanted: 'true' });
  expect(byLink.headers.get('location')).toContain('sign-in?fresh');
  await expectWanted(false);
  await signInByCode(browser, owner, smtp);
  expect((await browser.post(people, 'set_mails', { wanted: 'true' })).status).toBe(303);
  await expectWanted(true);
});

test('who ended the mails, was removed and invited again gets none until he asks for them', async () => {
  const email = `second-${owner}`;
  const people = '/dashboard/settings/people';
  const find = () =>
    queryRows<{ id: string; alerts: boolean }>('select id, alerts from people where email = $1', [email]);
  const enter = async () => {
    await inviteLink(service, account, { email });
    const browser = newBrowser(service);
    await signInByCode(browser, email, smtp);
    return browser;
  };
  await (await enter()).post(people, 'set_mails', { wanted: 'false' });
  const [{ id } = { id: '' }] = await find();
  await (await signedIn(service, account)).post(people, 'remove', { id });
  const again = await enter();
  expect(await find()).toMatchObject([{ alerts: false }]);
  await again.post(people, 'set_mails', { wanted: 'true' });
  expect(await find()).toMatchObject([{ alerts: true }]);
});

test('an owner who was invited, and whose link the inviter opened, gets no mails; names stay out of subjects', async () => {
  const victim = `ceo-${account.id}@victim.example`;
  const browser = await signedIn(service, account, { email: victim });
  expect((await browser.get('/dashboard/settings/people')).text).toContain('You get no mails yet');
  const lot = await newLot(service, server, { name: `Pay now at evil.example ${'!'.repeat(150)}` }, account);
  lot.file.serve(500);
  await lot.run();
  await due();
  expect(subjects()).toEqual([FEED]);
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
    await due();
  }
  expect(subjects()).toHaveLength(20);
});

test('the operator sees which feeds and deliveries fail', async () => {
  const { lot } = await holdRun();
  lot.file.serve(500);
  await lot.run();
  const operator = await signedInOperator(service);
  const { text } = await operator.get('/dashboard/operator/health');
  expect(toPlainText(text)).toMatch(/Nightly failed /);
  expect(text).toContain(`/dashboard/operator/accounts/${account.id}`);
});
