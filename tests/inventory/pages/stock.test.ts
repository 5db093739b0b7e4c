import { afterAll, expect, test } from 'vitest';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { storeEnquiry } from '../../../lib/leads/queries/capture.ts';
import { newLead } from '../../support/samples/leads.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
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
  return { seller, ownBrowser: await signedIn(service, seller) };
}
/** What a page says. */
const see = async (path: string, by = browser) => toPlainText((await by.get(path)).text);

test('issues are grouped by what to change, narrowed to one group, saved without formulas, and shown as text', async () => {
  const hostile = '<script>alert(1)</script>';
  const wrongTrucks = [
    cleanTruck({ year: 1950, stock_number: '=1+1' }),
    cleanTruck({ price: hostile, year: hostile, stock_number: hostile }),
  ];
  const records = [...cleanTrucks(3, { price: 12 }), ...wrongTrucks];
  await account.post({ records });
  expect(await see('/dashboard/issues')).toMatch(
    /3 trucks: Price is not believable .* 2 trucks: Model year out of range/,
  );
  const path = '/dashboard/issues?code=YEAR_OUT_OF_RANGE';
  const { text } = await browser.get(path);
  expect(records.filter(({ vin }) => text.includes(vin))).toEqual(wrongTrucks);
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script&gt;alert');
  expect((await browser.get(`${path}&file=csv`)).text).toContain(`,'=1+1,`);
});

test('trucks are left out of the issues by one and by group, until sent otherwise or put back', async () => {
  const { seller, ownBrowser } = await newSeller();
  const records = cleanTrucks(3, { price: 12 });
  await seller.post({ records });
  const path = '/dashboard/issues';
  const [, issue = ''] = /name="issue" value="([^"]+)"/.exec((await ownBrowser.get(path)).text) ?? [];
  await ownBrowser.post(path, 'leave_out', { issue });
  expect(await see(path, ownBrowser)).toContain('2 trucks: Price is not believable');
  const group = { code: 'PRICE_INVALID', field: 'price' };
  await ownBrowser.post(path, 'leave_out', group);
  await seller.post({ records });
  expect(await see(path, ownBrowser)).toContain('Nothing is wrong');
  expect(await listIssues(seller)).toEqual([]);
  expect(await listIssues(seller, '?left_out=true')).toHaveLength(3);
  await seller.post({ ...records[0], price: 13 });
  expect(await see('/dashboard', ownBrowser)).toContain('1 truck rejected');
  expect(await see(`${path}?left_out=true`, ownBrowser)).toContain('2 trucks: Price is not believable');
  await ownBrowser.post(path, 'list_again', group);
  expect(await see('/dashboard', ownBrowser)).toContain('3 trucks rejected');
  expect((await ownBrowser.post(path, 'leave_out', { issue: `1:api:${'0'.repeat(64)}` })).status).toBe(404);
  expect(await see('/dashboard/activity', ownBrowser)).toContain('Trucks left out of the issues');
});

test('a lead shows all enquiries and how to answer them, is answered, sent again, and erased by owners only', async () => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Two enquiries' });
  const { vin } = (await account.post(cleanTruck({ dealer: slug, stock_number: 'LS109' }))).body;
  const visit = { dealerSlug: slug, visitorId: 'v-1', email: 'gil@visitor.example' };
  const ask = (enquiry: object) => account.call('POST', '/v1/widget/lead', { ...visit, ...enquiry });
  const offer = { intent: 'best_price', details: { offer: '50000' } };
  const { leadId } = (await ask({ message: 'One', ...offer })).body;
  await ask({ message: 'Two', name: 'Gil Roy', phone: '2105550170', vin });
  await ask({ message: 'Three', visitorId: 'v-2', phone: '2105550170', vin });
  expect(await see('/dashboard/leads?status=new&days=1')).toMatch(
    /Three gil@visitor.example \(210\) 555-0170 2017 Freightliner Cascadia Stock LS109 .*One Best price and 1 later enquiry gil@/,
  );
  expect(await see('/dashboard')).toMatch(/2 leads not answered yet .* Leads of 1 dealer are sent nowhere/);
  const path = `/dashboard/leads/${leadId}`;
  const { text } = await browser.get(path);
  expect(toPlainText(text)).toMatch(/Request Best price Your offer in \$ 50000/);
  expect(toPlainText(text)).not.toMatch(/VIN none|About no truck/);
  expect(text).toContain('mailto:gil@visitor.example?subject=Your%20enquiry%20at%20Two%20enquiries');
  const later = toPlainText(text.slice(text.indexOf('Later,')));
  const texts = ['About 2017 Freightliner Cascadia', vin, 'LS109', 'Gil Roy', visit.email, '(210) 555-0170'];
  expect(texts.filter((part) => !later.includes(part))).toEqual([]);
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

test('a form saves all leads, not only those of a page, and the activity records it', async () => {
  const { seller, ownBrowser } = await newSeller();
  const slug = uniqueSlug();
  await seller.call('POST', '/v1/dealers', { slug, name: 'Many leads' });
  for (let n = 0; n < 205; n += 1) {
    const visit = { dealer: slug, visitorId: `visitor-${n}`, conversationId: null };
    await storeEnquiry(service.ports.db, seller.id, visit, `conv_${slug}${n}`, newLead(`lead_${slug}${n}`));
  }
  const page = await ownBrowser.get('/dashboard/leads?file=csv');
  expect([page.headers.get('content-disposition'), page.text.includes('data-confirm')]).toEqual([null, true]);
  for (const [query, rows] of [
    ['', 205],
    ['?status=closed', 0],
  ] as const)
    expect((await ownBrowser.post(`/dashboard/leads${query}`, 'export')).text.match(/\r\n/g)).toHaveLength(
      1 + rows,
    );
  expect(await see('/dashboard/activity', ownBrowser)).toMatch(
    /Leads saved as a file owner-\S+ .{9,40} leads\.csv/,
  );
});

const listIssues = async (seller: TestAccount, query = '') =>
  (await seller.call('GET', `/v1/issues${query}`)).body.issues;

/** Lists a file, and answers the page of its run when that has ended. */
const pushFile = async (ownBrowser: TestBrowser, file: string, extent = 'part') =>
  followRun(ownBrowser, (await sendFile(ownBrowser, 'push', file, extent)).headers.get('location') ?? '');

async function followRun(ownBrowser: TestBrowser, path: string) {
  await expect
    .poll(async () => (await ownBrowser.get(path)).text, { timeout: 30_000 })
    .not.toContain('data-refresh');
  return { path, text: await see(path, ownBrowser) };
}

function sendFile(ownBrowser: TestBrowser, action: string, file: string, extent = '', to = service) {
  const raw = new FormData();
  raw.set('lot', extent);
  raw.set('file', new Blob([file]), 'stock.csv');
  raw.set('action', action);
  const headers = { cookie: `session=${ownBrowser.cookies.get('session')}`, origin: ORIGIN };
  return to.call('POST', '/dashboard/upload', { raw, headers });
}

test('a check stores nothing; then the file is listed with the corrected columns, and rejected rows say what to change', async () => {
  const { seller, ownBrowser } = await newSeller();
  const offer = { price: undefined, zzz: 51_000 };
  const [good, bad] = [
    cleanTruck(offer),
    cleanTruck({ ...offer, year: 1950, class: 'class_2', stock_number: 'U7' }),
  ];
  for (const rowless of ['', 'vin,year\n'])
    for (const { text } of [
      await sendFile(ownBrowser, 'check', rowless),
      await pushFile(ownBrowser, rowless),
    ])
      expect(text).toContain('The file has no trucks. Below');
  const checked = await sendFile(ownBrowser, 'check', toCsv([good, bad]));
  expect(checked.text).toMatch(
    /List the trucks.*1 truck would be listed, 1 rejected.*1 new, 0 changed, 0 unchanged/s,
  );
  expect((await seller.call('GET', `/v1/inventory/${good.vin}`)).status).toBe(404);
  expect(await listIssues(seller)).toEqual([]);
  await seller.call('POST', '/v1/dealers', { slug: 'lone-star', name: 'Lone Star Trucks' });
  const [, id = ''] = /name="checked" value="(\w+)"/.exec(checked.text) ?? [];
  const fields = { checked: id, mapping: 'price=zzz', dealer: 'lone-star' };
  const pushed = await ownBrowser.post('/dashboard/upload', 'push', fields);
  const { path, text } = await followRun(ownBrowser, pushed.headers.get('location') ?? '');
  expect(text).toMatch(
    new RegExp(
      `Rows 2 New 1 .* Rejected 1 Warnings are .* ${bad.vin} stock U7 Year .* Also wrong: Weight class\\. `,
    ),
  );
  expect(await seller.read(good.vin)).toMatchObject({ price: 51_000, dealer: 'lone-star' });
  for (const file of [`${path}?file=rejects`, '/dashboard/issues?source=upload&file=csv'])
    expect((await ownBrowser.get(file)).text).toContain(bad.vin);
  const { ownBrowser: stranger } = await newSeller();
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.post('/dashboard/upload', 'push', { checked: id })).status).toBe(400);
  // The feed of uploads is none of the wire.
  expect((await seller.call('GET', '/v1/feeds')).body.feeds).toEqual([]);
  for (const [method, of, body] of [
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/runs'],
  ] as const)
    expect((await seller.call(method, `/v1/feeds/upload${of}`, body)).status, method).toBe(404);
  expect((await ownBrowser.get('/dashboard/feeds/upload')).status).toBe(404);
});

test('an upload delists only as the whole lot: what earlier uploads had and it lacks, unless the guard holds it', async () => {
  const { seller, ownBrowser } = await newSeller();
  const trucks = cleanTrucks(3);
  const [stays, goes, postedTruck] = trucks as [Truck, Truck, Truck];
  const readStatuses = () => Promise.all(trucks.map(async ({ vin }) => (await seller.read(vin)).status));
  await seller.post(postedTruck);
  await pushFile(ownBrowser, toCsv([goes, cleanTruck({ price: 12 })]));
  await pushFile(ownBrowser, toCsv([stays]));
  await seller.post({ ...stays, price: 61_000 });
  // A file is read again, and issues of another stay.
  expect((await pushFile(ownBrowser, toCsv([stays]))).text).toMatch(/Changed 1 .* Delisted 0/);
  expect(await listIssues(seller)).toHaveLength(1);
  expect(await readStatuses()).toEqual(['available', 'available', 'available']);
  const file = toCsv([{ ...stays, mileage: 'many' }]);
  const answer = await sendFile(ownBrowser, 'check', file, 'whole');
  expect(answer.text).toContain('value="whole" selected');
  const checked = toPlainText(answer.text);
  expect(checked).toMatch(/If the file is your whole lot, 1 truck of earlier uploads would be delisted/);
  expect(checked).toMatch(/many&quot; cannot be read .* \(1 row, first in line 2\)/);
  const { text } = await pushFile(ownBrowser, toCsv([stays]), 'whole');
  expect(text).toMatch(new RegExp(` Unchanged 1 Delisted 1 .*Delisted .*${goes.vin}`));
  expect(await readStatuses()).toEqual(['available', 'delisted', 'available']);
  const heldRun = await pushFile(ownBrowser, `vin,year\n${'?,?\n'.repeat(201)}`, 'whole');
  expect(heldRun.text).toMatch(
    new RegExp(
      `has a readable VIN\\. .* would delist 1 truck .*${stays.vin}.* The first 200 rows; the CSV has all`,
    ),
  );
  expect((await ownBrowser.post(heldRun.path, 'refuse')).headers.get('location')).toBe(
    `${heldRun.path}?done=refused`,
  );
  expect(await see(heldRun.path, ownBrowser)).toMatch(/was held\. It was refused, .* Result closed /);
  const heldAgain = await pushFile(ownBrowser, 'vin,year\n', 'whole');
  // A file that cannot be read closes no held run.
  expect((await pushFile(ownBrowser, '{', 'whole')).text).toContain(' Result failed ');
  for (const page of ['/dashboard', '/dashboard/upload'])
    expect((await ownBrowser.get(page)).text).toContain(`href="${heldAgain.path}"`);
  const released = await ownBrowser.post(heldAgain.path, 'release');
  expect(released.headers.get('location')).toBe(`${heldAgain.path}?done=released`);
  expect((await followRun(ownBrowser, heldAgain.path)).text).toContain('Delisted 1');
});

test('a row without a provider changes the truck that is listed, whatever its provider', async () => {
  const { seller, ownBrowser } = await newSeller();
  const [truck, sold] = cleanTrucks(2) as [Truck, Truck];
  await seller.post({ records: [truck, sold], source_provider_id: 'dms' });
  await seller.patch({ vin: sold.vin, status: 'sold' });
  const file = toCsv([truck, sold].map((each) => ({ ...each, price: 51_000 })));
  expect((await pushFile(ownBrowser, file)).text).toMatch(/ New 0 Changed 2 /);
  const sources = [{ source_provider_id: 'dms' }];
  expect(await seller.read(truck.vin)).toMatchObject({ price: 51_000, sources });
  expect(await seller.read(sold.vin)).toMatchObject({ status: 'sold', sources });
  await seller.post({ records: [truck], source_provider_id: 'dms' });
  expect((await pushFile(ownBrowser, file)).text).toMatch(/ Changed 1 Unchanged 1 /);
  const other = toCsv([{ ...truck, source_provider_id: 'other' }]);
  expect((await pushFile(ownBrowser, other)).text).toContain(' New 1 ');
  // It stays the API's: no later upload of the whole lot delists it.
  await pushFile(ownBrowser, toCsv([cleanTruck()]), 'whole');
  const { body } = await seller.call('GET', `/v1/inventory?q=${truck.vin}`);
  expect(body.listings).toMatchObject([{ source_provider_id: 'dms', status: 'available' }]);
  // A lot of the API's trucks alone is none without trucks, which the guard would hold.
  expect((await pushFile(ownBrowser, toCsv([truck]), 'whole')).text).toContain(' Delisted 1 ');
});

test('an upload for a dealer changes no truck of another dealer', async () => {
  const { seller, ownBrowser } = await newSeller();
  const truck = cleanTruck({ price: 50_000 });
  for (const slug of ['lone-star', 'big-sky']) await seller.call('POST', '/v1/dealers', { slug, name: slug });
  for (const dealer of ['lone-star', 'big-sky'])
    await seller.post({ records: [{ ...truck, dealer }], source_provider_id: `dms-${dealer}` });
  const { text } = await sendFile(ownBrowser, 'check', toCsv([cleanTruck()]));
  expect(text).toContain('Choose the dealer under Trucks of');
  const checked = await sendFile(ownBrowser, 'check', toCsv([{ ...truck, price: 51_000 }]));
  const [, id = ''] = /name="checked" value="(\w+)"/.exec(checked.text) ?? [];
  const fields = { checked: id, dealer: 'lone-star' };
  const pushed = await ownBrowser.post('/dashboard/upload', 'push', fields);
  expect((await followRun(ownBrowser, pushed.headers.get('location') ?? '')).text).toMatch(
    / New 0 Changed 1 /,
  );
  const { body } = await seller.call('GET', `/v1/inventory?q=${truck.vin}&sort=price`);
  expect(body.listings).toMatchObject([
    { dealer: 'big-sky', price: 50_000 },
    { dealer: 'lone-star', price: 51_000 },
  ]);
});

test('no upload replaces one that is being listed; the next worker lists the file of a killed one', async () => {
  const { seller, ownBrowser } = await newSeller();
  const dying = await startService((base) => ({
    ...server.ports(base),
    settings: { ...base.settings, restingJobs: new Set(['feed']) },
  }));
  const file = toCsv([cleanTruck()]);
  const path = (await sendFile(ownBrowser, 'push', file, 'part', dying)).headers.get('location') ?? '';
  const check = async () => toPlainText((await sendFile(ownBrowser, 'check', file)).text);
  expect((await ownBrowser.get(path)).text).toContain('data-refresh');
  expect(await check()).toContain('is being listed');
  await drain(service.ports, feedWork, { accountId: seller.id });
  expect(await see(path, ownBrowser)).toContain('Rows 1 New 1');
  expect(await check()).toContain('1 truck would be listed');
});

test('a feed is checked, made, run, changed, paused, resumed and removed; its password is replaced and never shown', async () => {
  const file = server.file();
  file.serve(toCsv([cleanTruck(), cleanTruck({ price: 12 })]));
  const login = { url: file.url, username: 'dms' };
  const fields = { ...login, name: 'Nightly', password: 'old-secret' };
  const checked = await browser.post('/dashboard/feeds/new', 'check', fields);
  expect(toPlainText(checked.text)).toContain('1 truck would be listed, 1 rejected');
  expect(checked.text).toContain(`value="${file.url}"`);
  file.serve(404);
  const saved = await browser.post('/dashboard/feeds/new', 'save', fields);
  const firstRun = await followRun(browser, saved.headers.get('location') ?? '');
  expect(firstRun.text).toMatch(/The feed is saved\. .* answered 404/);
  const [path = '', id] = /^\/dashboard\/feeds\/(\w+)/.exec(firstRun.path) ?? [];
  expect(await see(path)).toMatch(/ answered 404 .* Open the run Run now /);
  expect((await browser.post(path, 'run_now')).headers.get('location')).toContain(`${path}/runs/run_`);
  const read = async () => (await account.call('GET', `/v1/feeds/${id}`)).body;
  expect((await browser.get(`${path}/edit`)).text).not.toContain('old-secret');
  const save = (more: Record<string, string | string[]>) =>
    browser.post(`${path}/edit`, 'save', { ...login, name: 'Hourly', cadence_minutes: '180', ...more });
  const run = await save({ mapping: ['year=Jahr', '=Asking'] });
  expect(run.headers.get('location')).toContain(`${path}/runs/run_`);
  const mapping = { Jahr: 'year', Asking: null };
  expect(await read()).toMatchObject({ name: 'Hourly', cadence_minutes: 180, mapping, has_password: true });
  const elsewhere = await save({ url: 'https://evil.example/x.csv' });
  expect([elsewhere.status, elsewhere.text]).toEqual([400, expect.stringContaining('on another server now')]);
  const refusal = await save({ name: 'x'.repeat(201), cadence_minutes: '99999' });
  expect(toPlainText(refusal.text)).toMatch(/Change this:.*“Name” .*“Minutes between two runs” /);
  expect((await browser.post(path, 'pause')).status).toBe(303);
  expect(await see(path)).toContain(' Next run paused Last runs ');
  expect((await save({ username: '' })).headers.get('location')).toBe(`${path}?done=saved`);
  expect(await read()).toMatchObject({ has_password: false, enabled: false });
  expect((await browser.post(path, 'resume')).headers.get('location')).toBe(`${path}?done=resumed`);
  expect((await read()).enabled).toBe(true);
  const removal = await browser.post(`${path}/edit`, 'remove');
  expect(removal.headers.get('location')).toBe('/dashboard/feeds?done=removed');
  expect(await see('/dashboard/activity')).toMatch(/Feed run started owner-\S+ .{9,40} Hourly /);
});
