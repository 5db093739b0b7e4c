import { afterAll, expect, test } from 'vitest';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { workOff } from '../../../lib/jobs/work-off.ts';
import { storeEnquiry } from '../../../lib/leads/queries/capture.ts';
import { newLead } from '../../support/samples/leads.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { ORIGIN, signedIn, type TestBrowser, toPlainText } from '../../support/service/dashboard.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** Issues, feeds and leads in the browser, by forms alone. */

const server = await startFeedServer();
const service = await startService(server.ports);
const account = await service.newAccount();
const browser = await signedIn(service, account);
afterAll(() => server.close());

async function newSeller() {
  const seller = await service.newAccount();
  return { seller, own: await signedIn(service, seller) };
}
/** What a page says. */
const see = async (path: string, by = browser) => toPlainText((await by.get(path)).text);

test('issues are grouped by what to change, narrowed to one group, saved without formulas, and shown as text', async () => {
  const hostile = '<script>alert(1)</script>';
  const [old, odd] = [
    cleanTruck({ year: 1950, stock_number: '=1+1' }),
    cleanTruck({ price: hostile, year: hostile, stock_number: hostile }),
  ];
  const records = [...cleanTrucks(3, { price: 12 }), old, odd];
  await account.post({ records });
  expect(await see('/dashboard/issues')).toMatch(
    /3 trucks: Price is not believable .* 2 trucks: Model year out of range/,
  );
  const narrowed = await browser.get('/dashboard/issues?code=YEAR_OUT_OF_RANGE');
  expect([old, ...records].map(({ vin }) => narrowed.text.includes(vin))).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(narrowed.text).not.toContain('<script>alert');
  expect(narrowed.text).toContain('&lt;script&gt;alert');
  const file = await browser.get('/dashboard/issues?file=csv&code=YEAR_OUT_OF_RANGE');
  expect(file.text).toContain(`,'=1+1,`);
});

test('trucks are left out of the issues one by one and by group, and put back', async () => {
  const { seller, own } = await newSeller();
  const [car, ...others] = cleanTrucks(3, { price: 12 });
  await seller.post({ records: [car, ...others] });
  const path = '/dashboard/issues';
  const row = new RegExp(`${car?.vin}.*?name="issue" value="([^"]+)"`, 's').exec((await own.get(path)).text);
  const done = await own.post(path, 'leave_out', { issue: row?.[1] ?? '' });
  expect(done.headers.get('location')).toBe(`${path}?done=leave_out`);
  expect(await see(path, own)).toContain('2 trucks: Price is not believable');
  const group = { code: 'PRICE_INVALID', field: 'price' };
  await own.post(path, 'leave_out', group);
  expect(await see(path, own)).toContain('Nothing is wrong');
  expect(await see(`${path}?left_out=true`, own)).toContain('3 trucks: Price is not believable');
  await own.post(`${path}?left_out=true`, 'list_again', group);
  expect(await see('/dashboard', own)).toContain('3 trucks not listed');
  expect((await own.post(path, 'leave_out', { issue: `1:api:${'0'.repeat(64)}` })).status).toBe(404);
  expect(await see('/dashboard/activity', own)).toContain('Trucks left out of the issues');
});

test('a held run shows which trucks would go, and is released by a button', async () => {
  const lot = await newLot(service, server, {}, account);
  const trucks = cleanTrucks(60);
  lot.file.serve(toCsv(trucks));
  await lot.run();
  lot.file.serve(toCsv(trucks.slice(0, 20)));
  const path = `/dashboard/feeds/${lot.feed}/runs/${(await lot.run()).id}`;
  const { text } = await browser.get(path);
  expect(text).toContain('This run would take 40 trucks off the list');
  expect(trucks.filter(({ vin }) => text.includes(vin))).toEqual(trucks.slice(20));
  const released = await browser.post(path, 'release');
  expect([released.status, released.headers.get('location')]).toEqual([303, `${path}?done=released`]);
});

test('a feed is checked before it is made, and run at once', async () => {
  const file = server.file();
  file.serve(toCsv([cleanTruck(), cleanTruck({ price: 12 })]));
  const given = { name: 'Export', url: file.url, source_provider_id: 'dms' };
  const checked = await browser.post('/dashboard/feeds/new', 'check', given);
  expect(toPlainText(checked.text)).toContain('1 truck would be listed, 1 rejected');
  expect(checked.text).toContain(`value="${file.url}"`);
  const saved = await browser.post('/dashboard/feeds/new', 'save', given);
  const [path = ''] = /^\/dashboard\/feeds\/\w+/.exec(saved.headers.get('location') ?? '') ?? [];
  expect(await see(path)).toContain('Export');
  const started = await browser.post(path, 'run_now');
  expect(started.headers.get('location')).toContain(`${path}/runs/run_`);
});

test('a lead is answered, sent again and erased; only owners erase', async () => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks' });
  const visit = { dealerSlug: slug, visitorId: 'v-1', email: 'fay@visitor.example', message: 'Is it there?' };
  const offer = { intent: 'best_price', details: { offer: '50000' } };
  const { leadId } = (await account.call('POST', '/v1/widget/lead', { ...visit, ...offer })).body;
  const path = `/dashboard/leads/${leadId}`;
  expect(await see('/dashboard/leads?status=new')).toContain('fay@visitor.example');
  expect(await see(path)).toMatch(/Wants Best price Offer \$?50,?000/);
  expect(await see('/dashboard')).toContain('lead not answered yet');
  expect((await browser.post(path, 'change', { status: 'contacted' })).status).toBe(303);
  expect((await account.call('GET', `/v1/leads/${leadId}`)).body.status).toBe('contacted');
  expect((await browser.post(path, 'send_again')).headers.get('location')).toBe(`${path}?done=sent`);
  const member = await signedIn(service, account, { email: 'member@dealer.example', role: 'member' });
  expect((await member.post(path, 'erase')).status).toBe(403);
  expect((await member.get(path)).text).not.toContain('Erase this lead');
  expect((await member.post('/dashboard/settings', 'export')).status).toBe(403);
  expect((await browser.post(path, 'erase')).headers.get('location')).toBe('/dashboard/leads?done=erased');
  expect((await browser.get(path)).status).toBe(404);
});

test('a second enquiry shows its truck, its name and how to answer it', async () => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Two enquiries' });
  const { vin } = (await account.post(cleanTruck({ dealer: slug, stock_number: 'LS109' }))).body;
  const visit = { dealerSlug: slug, visitorId: 'two-enquiries', email: 'gil@visitor.example' };
  const ask = async (enquiry: object) =>
    (await account.call('POST', '/v1/widget/lead', { ...visit, ...enquiry })).body;
  const { leadId } = await ask({ message: 'One' });
  await ask({ message: 'Two', name: 'Gil Roy', phone: '2105550170', vin });
  const { text } = await browser.get(`/dashboard/leads/${leadId}`);
  const behind = toPlainText(text.slice(text.indexOf('Later,')));
  expect(behind).toMatch(/About \d{4} Freightliner Cascadia/);
  for (const part of [vin, 'LS109', 'Gil Roy', 'gil@visitor.example', '(210) 555-0170'])
    expect(behind).toContain(part);
  expect(toPlainText(text)).not.toMatch(/VIN none|About no truck/);
  expect(text).toContain('mailto:gil@visitor.example?subject=Your%20enquiry%20at%20Two%20enquiries');
  expect(await see('/dashboard/leads?days=1')).toContain('and 1 later enquiry');
});

test('all leads are saved, not only those of a page, by a form alone, and the activity says so', async () => {
  const { seller, own } = await newSeller();
  const slug = uniqueSlug();
  await seller.call('POST', '/v1/dealers', { slug, name: 'Many leads' });
  for (let n = 0; n < 205; n += 1) {
    const visit = { dealer: slug, visitorId: `visitor-${n}`, conversationId: null };
    const lead = newLead(`lead_${slug.replaceAll('-', '')}${n}`);
    await storeEnquiry(service.ports.db, seller.id, visit, `conv_${slug}${n}`, lead);
  }
  const page = await own.get('/dashboard/leads?file=csv');
  expect([page.headers.get('content-disposition'), page.text.includes('data-confirm')]).toEqual([null, true]);
  const save = async (format: string, query = '') =>
    (await own.post(`/dashboard/leads${query}`, 'export', { format })).text;
  expect((await save('csv')).trim().split('\r\n')).toHaveLength(1 + 205);
  const adf = await save('adf');
  expect(adf.match(/<prospect/g)).toHaveLength(205);
  expect(adf.match(/<adf>|<\/adf>/g)).toEqual(['<adf>', '</adf>']);
  expect((await save('csv', '?status=closed')).trim().split('\r\n')).toHaveLength(1);
  expect(await see('/dashboard/activity', own)).toMatch(/Leads saved as a file owner-\S+ .{9,40} leads\.adf/);
});

test('a file is looked at without a trace, then listed; rejected rows say what to change', async () => {
  const { seller, own } = await newSeller();
  const [good, bad] = [cleanTruck(), cleanTruck({ price: 12 })];
  const file = toCsv([good, bad]);
  expect((await sendFile(own, 'check', file)).text).toMatch(/1 truck would be listed, 1 rejected/);
  expect((await seller.call('GET', `/v1/inventory/${good.vin}`)).status).toBe(404);
  expect(await listIssues(seller)).toEqual([]);
  const { path, text } = await pushFile(own, file);
  expect(toPlainText(text)).toMatch(new RegExp(`Rows 2 New 1 .* Rejected 1 .* ${bad.vin} Price `));
  expect((await seller.call('GET', `/v1/inventory/${good.vin}`)).status).toBe(200);
  expect((await own.get(`${path}?file=rejects`)).text).toContain(bad.vin);
  expect((await own.get('/dashboard/issues?source=upload&file=csv')).text).toContain(bad.vin);
  expect((await (await newSeller()).own.get(path)).status).toBe(404);
});

const listIssues = async (seller: TestAccount) => (await seller.call('GET', '/v1/issues')).body.issues;

/** Lists a file, and answers the page of its run when that has ended. */
async function pushFile(own: TestBrowser, file: string, lot = 'part') {
  const sent = await sendFile(own, 'push', file, { lot });
  expect(sent.status, toPlainText(sent.text)).toBe(303);
  return followRun(own, sent.headers.get('location') ?? '');
}

async function followRun(own: TestBrowser, path: string) {
  await expect
    .poll(async () => (await own.get(path)).text, { timeout: 30_000 })
    .not.toContain('data-refresh');
  return { path, text: (await own.get(path)).text };
}

test('an upload delists nothing, reads the same file again, and leaves issues of another file', async () => {
  const { seller, own } = await newSeller();
  const [first, second] = [cleanTruck(), cleanTruck()];
  await pushFile(own, toCsv([first, cleanTruck({ price: 12 })]));
  await pushFile(own, toCsv([second]));
  expect((await seller.read(first.vin)).status).toBe('available');
  expect(await listIssues(seller)).toHaveLength(1);
  await seller.post({ ...second, price: 61_000 });
  const { text } = await pushFile(own, toCsv([second]));
  expect(toPlainText(text)).toMatch(/Changed 1 .* Taken off the list 0/);
});

test('an upload that is the whole lot delists what earlier uploads had and it lacks, behind the guard', async () => {
  const seller = await service.newAccount();
  const own = await signedIn(service, seller);
  const [stays, goes, posted] = [cleanTruck(), cleanTruck(), cleanTruck()];
  await seller.post(posted);
  await pushFile(own, toCsv([stays]));
  await pushFile(own, toCsv([goes]));
  const { text } = await pushFile(own, toCsv([stays]), 'whole');
  expect(toPlainText(text)).toMatch(/ Unchanged 1 Taken off the list 1 .*Taken off the list .*/);
  expect(text).toContain(goes.vin);
  const statuses = await Promise.all(
    [stays, goes, posted].map(async ({ vin }) => (await seller.read(vin)).status),
  );
  expect(statuses).toEqual(['available', 'delisted', 'available']);
  const held = await pushFile(own, 'vin,year\n', 'whole');
  expect(toPlainText(held.text)).toContain('This run would take 1 truck off the list');
  await own.post(held.path, 'release', {});
  expect(toPlainText((await followRun(own, held.path)).text)).toContain('Taken off the list 1');
});

test('the feed of uploads is no feed of the wire', async () => {
  const { seller, own } = await newSeller();
  await pushFile(own, toCsv([cleanTruck()]));
  expect((await seller.call('GET', '/v1/feeds')).body.feeds).toEqual([]);
  const path = '/v1/feeds/upload';
  for (const [method, of, body] of [
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/runs'],
  ] as const)
    expect((await seller.call(method, path + of, body)).status, method).toBe(404);
  expect((await own.get('/dashboard/feeds/upload')).status).toBe(404);
});

test('a file that was checked is listed without being chosen again, with the columns as corrected', async () => {
  const { seller, own } = await newSeller();
  const truck = cleanTruck({ price: undefined });
  const checked = await sendFile(own, 'check', toCsv([{ ...truck, zzz: 51_000 }]));
  const id = /name="checked" value="(\w+)"/.exec(checked.text)?.[1] ?? '';
  await seller.call('POST', '/v1/dealers', { slug: 'lone-star-trucks', name: 'Lone Star Trucks' });
  const chosen = { mapping: 'price=zzz', dealer: 'lone-star-trucks' };
  const pushed = await own.post('/dashboard/upload', 'push', { checked: id, ...chosen });
  await followRun(own, pushed.headers.get('location') ?? '');
  const listed = await seller.read(truck.vin);
  expect([listed.price, listed.dealer]).toEqual([51_000, 'lone-star-trucks']);
  const { own: stranger } = await newSeller();
  expect((await stranger.post('/dashboard/upload', 'push', { checked: id })).status).toBe(400);
});

function sendFile(
  own: TestBrowser,
  action: string,
  file: string,
  { dealer = '', lot = '' } = {},
  to = service,
) {
  const raw = new FormData();
  raw.set('dealer', dealer);
  raw.set('lot', lot);
  raw.set('file', new Blob([file]), 'stock.csv');
  raw.set('action', action);
  const headers = { cookie: `session=${own.cookies.get('session')}`, origin: ORIGIN };
  return to.call('POST', '/dashboard/upload', { raw, headers });
}

test('of a file without rows, or without anything, a person learns that it has none', async () => {
  const { own } = await newSeller();
  for (const file of ['', 'vin,year\n']) {
    expect((await sendFile(own, 'check', file)).text).toContain('The file has no rows of trucks');
    expect((await pushFile(own, file)).text).toContain('The file has no rows of trucks');
  }
});

test('while a file is listed no other takes its place; one whose worker was killed is listed by the next', async () => {
  const { seller, own } = await newSeller();
  const dying = await startService((base) => ({
    ...server.ports(base),
    settings: { ...base.settings, restingJobs: new Set(['feed']) },
  }));
  const file = toCsv([cleanTruck()]);
  const path = (await sendFile(own, 'push', file, {}, dying)).headers.get('location') ?? '';
  const check = async () => toPlainText((await sendFile(own, 'check', file)).text);
  expect((await own.get(path)).text).toContain('data-refresh');
  expect(await check()).toContain('is being listed');
  await workOff(service.ports, feedWork, { accountId: seller.id });
  expect(toPlainText((await own.get(path)).text)).toContain('Rows 1 New 1');
  expect(await check()).toContain('1 truck would be listed');
});

test('a feed is changed, paused, resumed and removed; its password is replaced and never shown', async () => {
  const file = server.file();
  file.serve('Asking;VIN Number;Jahr;Hersteller;Modell\n');
  const login = { url: file.url, username: 'dms' };
  const feed = { ...login, name: 'Nightly', password: 'old-secret', enabled: false };
  const { id } = (await account.call('POST', '/v1/feeds', feed)).body;
  const path = `/dashboard/feeds/${id}`;
  const read = async () => (await account.call('GET', `/v1/feeds/${id}`)).body;
  expect((await browser.get(`${path}/edit`)).text).not.toContain('old-secret');
  const save = (more: Record<string, string | string[]>) =>
    browser.post(`${path}/edit`, 'save', { ...login, name: 'Hourly', cadence_minutes: '180', ...more });
  expect((await save({ mapping: ['year=Jahr', '=Asking'] })).status).toBe(303);
  const mapping = { Jahr: 'year', Asking: null };
  expect(await read()).toMatchObject({ name: 'Hourly', cadence_minutes: 180, mapping, has_password: true });
  const elsewhere = await save({ url: 'https://evil.example/x.csv' });
  expect(elsewhere.status).toBe(400);
  expect(toPlainText(elsewhere.text)).toContain('on another server now');
  const wrong = await save({ name: 'x'.repeat(201), cadence_minutes: '99999' });
  expect(toPlainText(wrong.text)).toMatch(/2 fields need a change.*“Name” .*“Minutes between two runs” /);
  expect((await save({ username: '' })).status).toBe(303);
  expect((await browser.post(path, 'resume')).headers.get('location')).toBe(`${path}?done=resumed`);
  expect(await read()).toMatchObject({ has_password: false, enabled: true });
  expect((await browser.post(path, 'pause')).status).toBe(303);
  expect((await read()).enabled).toBe(false);
  const gone = await browser.post(`${path}/edit`, 'remove');
  expect(gone.headers.get('location')).toBe('/dashboard/feeds?done=removed');
  expect((await browser.get(path)).status).toBe(404);
  expect(await see('/dashboard/activity')).toContain('Feed removed');
});
