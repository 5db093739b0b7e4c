import { beforeEach, expect, test } from 'vitest';
import { MAILED_ACTS } from '../../../lib/accounts/acts.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import {
  keepMails,
  newBrowser,
  signedIn,
  signInByCode,
  type TestBrowser,
} from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** Mails about what happens to an account: to the owners who did not do it, and to who signs in by another browser. */

const { mails, mailer } = keepMails();
const service = await startService(({ settings }) => ({
  mailer,
  settings: { ...settings, mail: 'smtp', publicUrl: 'https://trucks.example' },
}));

let account: TestAccount;
let ann: TestBrowser;
const address = (name: string) => `${name}-${account.id}@dealer.example`;

/** `by_code`: signed in by a code before, which confirmed the address. */
const addPerson = (name: string, role: string, by_code: boolean) =>
  queryRows(
    `insert into people (id, account_id, email, role, signed_in_at, confirmed_at)
     select 'per_' || left(md5($1), 24), $2, $1, $3, at, at from (select case when $4 then now() end as at) m`,
    [address(name), account.id, role, by_code],
  );

/** Of this test's account: those of tests before may still come. */
const ownMails = (since = 0) => mails.slice(since).filter(({ to_: [to] }) => to?.endsWith(address('')));

/** Another mail of the same act, such as an invitation, may come after it. */
const lastTextTo = (name: string) => ownMails().findLast(({ to_: [to] }) => to === address(name))?.text;

/** The mails that `act` causes, but for invitations and codes; they leave after its answer. */
async function collectMails(act: () => Promise<unknown>) {
  const before = mails.length;
  await act();
  await service.settled();
  return ownMails(before)
    .flatMap(({ to_: [to = ''], subject }) =>
      /sign-in code|You are invited/.test(subject) ? [] : [{ to, subject }],
    )
    .toSorted((a, b) => a.to.localeCompare(b.to));
}

const personId = async (name: string) =>
  (await queryRows<{ id: string }>('select id from people where email = $1', [address(name)]))[0]?.id ?? '';

beforeEach(async () => {
  account = await service.newAccount();
  await addPerson('ann', 'owner', false);
  ann = await signedIn(service, account, { email: address('ann') });
  // The mail of Ann's own invitation goes to who is a confirmed owner by then.
  await service.settled();
  await queryRows('update people set confirmed_at = now() where account_id = $1', [account.id]);
  await addPerson('bob', 'owner', true);
  await addPerson('member', 'member', true);
  await addPerson('unconfirmed', 'owner', false);
});

const PEOPLE = '/dashboard/settings/people';
const KEYS = '/dashboard/settings/keys';

const invite = (name: string) => ann.post(PEOPLE, 'invite', { email: address(name), role: 'owner' });

/** A dealer of the account, by its slug. */
async function addDealer(lead_email: string | null) {
  const slug = uniqueSlug();
  const values = [account.id, slug, lead_email];
  await queryRows(
    `insert into dealers (account_id, slug, name, lead_email) values ($1, $2, 'Lone Star', $3)`,
    values,
  );
  return `/dashboard/settings/dealers/${slug}`;
}

const change = async (name: string, role: string) =>
  ann.post(PEOPLE, 'change', { id: await personId(name), role });
const remove = async (name: string) => ann.post(PEOPLE, 'remove', { id: await personId(name) });

/** What Ann does in the dashboard, by action, and the mail's subject. */
const ACTS: Readonly<Record<string, [subject: string, act: () => Promise<unknown>]>> = {
  'person.invite': ['Person invited', () => invite('new')],
  'person.change': ['Role changed', () => change('unconfirmed', 'member')],
  'person.remove': ['Person removed', () => remove('unconfirmed')],
  'key.create': ['Key created', () => ann.post(KEYS, 'create', { kind: 'secret', name: 'Sync' })],
  'key.rotate': ['Key rotated', () => ann.post(`${KEYS}/${account.keyId}`, 'rotate')],
  'key.revoke': ['Key revoked', () => ann.post(`${KEYS}/${account.keyId}`, 'revoke')],
  'dealer.change_leads': [
    'Delivery of leads changed',
    async () =>
      ann.post(await addDealer(null), 'change', { name: 'Lone Star', lead_email: 'thief@stranger.example' }),
  ],
  'dealer.remove_leads': [
    'Dealer with delivery of leads removed',
    async () => ann.post(await addDealer('crm@dealer.example'), 'remove'),
  ],
  'account.erase': [
    'Erasure in 7 days requested',
    () => ann.post('/dashboard/settings', 'erase', { account_name: 'Test Trucks' }),
  ],
  'account.keep': [
    'Erasure undone',
    async () => {
      await queryRows('update accounts set erase_at = now(), suspended = true where id = $1', [account.id]);
      return ann.post('/dashboard/erasure', 'keep');
    },
  ],
  'account.export': ['Account exported', () => ann.post('/dashboard/settings', 'export')],
};

test('every action of the table is tried below', () => {
  // In the dashboard a dealer is added without a way of leads.
  expect([...Object.keys(ACTS), 'dealer.create_leads'].toSorted()).toEqual([...MAILED_ACTS].toSorted());
});

test.each(Object.entries(ACTS))(
  '%s is mailed to the confirmed owners who did not do it',
  async (_, [subject, act]) => {
    expect(await collectMails(act)).toEqual([{ to: address('bob'), subject }]);
    expect(lastTextTo('bob')).toContain(`By “${address('ann').slice(0, 40)}`);
  },
);

test('what a key or the operator does is mailed to all confirmed owners', async () => {
  const expectBoth = async (subject: string, act: () => Promise<unknown>) =>
    expect(await collectMails(act)).toEqual(['ann', 'bob'].map((name) => ({ to: address(name), subject })));
  const slug = uniqueSlug();
  const dealer = { slug, name: 'Lone Star', lead_webhook_url: 'https://thief.example/leads' };
  await expectBoth('Dealer with delivery of leads added', () => account.call('POST', '/v1/dealers', dealer));
  expect(lastTextTo('bob')).toContain(`By “${account.key.slice(0, 17)}`);
  const rotate = { slug, rotate_lead_webhook_secret: true };
  await expectBoth('Delivery of leads changed', () => account.call('PATCH', '/v1/dealers', rotate));
  const keyForm = { account_id: account.id, kind: 'secret' };
  await expectBoth('Key created', () => service.admin('POST', '/api/admin/keys', keyForm));
  expect(lastTextTo('bob')).toContain('By the operator of this service');
});

test('an owner or key that floods a mailbox with one act hides no other, nor what is done to its reader', async () => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star' });
  const mailed = await collectMails(async () => {
    for (let n = 0; n < 6; n += 1) {
      await account.call('PATCH', '/v1/dealers', { slug, lead_email: `crm-${n}@dealer.example` });
      await change('unconfirmed', n % 2 ? 'owner' : 'member');
      await service.settled();
    }
    await change('bob', 'member');
    await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind: 'secret' });
  });
  const toBob = mailed.flatMap(({ to, subject }) => (to === address('bob') ? [subject] : []));
  expect(toBob.filter((subject) => subject === 'Delivery of leads changed')).toHaveLength(5);
  // Three made an owner, three a member, and his own.
  expect(toBob.filter((subject) => subject === 'Role changed')).toHaveLength(7);
});

test('of many owners the first ones and whom it is about are mailed; a removed owner too', async () => {
  await queryRows(
    `insert into people (id, account_id, email, role, signed_in_at, confirmed_at, created_at)
     select 'per_' || n || '_' || $1, $1, '0' || n || '-' || $2, 'owner', now(), now(), now() + interval '1 hour'
     from generate_series(1, 30) n`,
    [account.id, address('late')],
  );
  const removalMails = await collectMails(() => remove('bob'));
  expect(removalMails).toContainEqual({ to: address('bob'), subject: 'Person removed' });
  const changeMails = await collectMails(() => change('member', 'owner'));
  expect(changeMails).toHaveLength(20);
  expect(changeMails).toContainEqual({ to: address('member'), subject: 'Role changed' });
});

test('nothing is mailed of what is refused, repeated, or of a test account', async () => {
  const slug = uniqueSlug();
  const mailed = await collectMails(async () => {
    await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star' });
    await account.call('PATCH', '/v1/dealers', { slug, lead_email: null });
    await account.call('PATCH', '/v1/dealers?dry_run=true', { slug, lead_email: 'thief@stranger.example' });
    expect((await invite('bob')).status).toBe(400);
    await queryRows('update accounts set test = true where id = $1', [account.id]);
    await ann.post('/dashboard/settings', 'export');
  });
  expect(mailed).toEqual([]);
});

test('a sign-in stands in the activity, and one by an unknown browser is mailed, but the very first', async () => {
  const subject = 'Sign-in with a new browser';
  const byCode = (browser: TestBrowser) => () => signInByCode(browser, address('bob'), { mails });
  const bob = newBrowser(service);
  expect(await collectMails(byCode(bob))).toEqual([{ to: address('bob'), subject }]);
  expect(lastTextTo('bob')).toContain('Firefox on Linux');
  await bob.post('/dashboard/sign-out', 'sign_out');
  const others = await collectMails(async () => {
    await byCode(bob)();
    await addPerson('dan', 'owner', false);
    await signInByCode(newBrowser(service), address('dan'), { mails });
    // The operator's link is not the owner's own doing.
    await signedIn(service, account, { email: address('bob') });
  });
  expect(others.filter((mail) => mail.subject === subject)).toEqual([{ to: address('bob'), subject }]);
  const { text } = await ann.get('/dashboard/activity');
  expect(text.match(/Signed in/g)).toHaveLength(5);
  expect(text).toMatch(/Signed in<.*dan-.*Firefox on Linux/s);
});
