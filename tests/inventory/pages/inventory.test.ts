import { expect, test } from 'vitest';
import { readAttention } from '../../../lib/accounts/overview.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { startService } from '../../support/service/service.ts';

/** Trucks in the browser, by links and forms alone. */

const service = await startService();
const account = await service.newAccount();
const browser = await signedIn(service, account);

const PATH = '/dashboard/inventory';
const findHref = (html: string, label: string) =>
  new RegExp(`href="([^"]*)">${label}`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('the page says how words are read; a link removes one filter and keeps the others', async () => {
  const cheap = cleanTruck({ price: 40_000, city: 'Fort Worth', state: 'TX' });
  const dear = cleanTruck({ price: 90_000, city: 'Laredo', state: 'TX' });
  await account.post({ records: [cheap, dear] });
  for (const [words, reading] of [
    ['under $50k', '≤ $50,000'],
    ['near Dallas, TX', 'near Dallas, TX, within 100 miles'],
    ['within 40 miles of 75201', 'near Dallas, TX, within 40 miles'],
  ]) {
    const { text } = await browser.get(`${PATH}?q=${encodeURIComponent(`${cheap.make} ${words}`)}`);
    expect([text.includes(cheap.vin), text.includes(dear.vin)]).toEqual([true, false]);
    expect(toPlainText(text)).toContain(`read as: ${cheap.make}, ${reading}.`);
  }
  const narrow = await browser.get(`${PATH}?q=${cheap.make}&year_min=2000&price_max=50000`);
  const wider = await browser.get(
    findHref(narrow.text, '<span class="unseen">Take away </span>Price: ≤ \\$50,000'),
  );
  expect([wider.text.includes(cheap.vin), wider.text.includes(dear.vin)]).toEqual([true, true]);
  expect(toPlainText(wider.text)).toMatch(/Take away Year: ≥ 2000 .* read as: /);
  const { text } = await browser.get(`${PATH}?has_price=false&has_images=true`);
  expect(toPlainText(text)).toMatch(/Take away With photos .* Take away No price /);
});

test('selected trucks are marked sold and available again, by the session’s account alone, and it is recorded', async () => {
  const records = cleanTrucks(2);
  const vins = records.map(({ vin }) => vin);
  const [first = ''] = vins;
  await account.post({ records });
  const readStatuses = () => Promise.all(vins.map(async (vin) => (await account.read(vin)).status));
  const answer = await browser.post(`${PATH}?sort=price`, 'sold', { vin: vins });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${PATH}?sort=price&done=sold`]);
  expect(await readStatuses()).toEqual(['sold', 'sold']);
  expect((await browser.get('/dashboard/activity')).text).toContain('Trucks marked sold');
  await browser.post(PATH, 'available', { vin: first });
  const none = await browser.post(PATH, 'sold');
  expect([none.status, none.text.includes('Select one truck or more first.')]).toEqual([400, true]);
  const stranger = await signedIn(service, await service.newAccount());
  expect((await stranger.post(PATH, 'delisted', { vin: first })).status).toBe(404);
  expect(await readStatuses()).toEqual(['available', 'sold']);
});

test('a truck’s page shows prices, contradictions, what is missing and who sold it; what a dealer wrote is text', async () => {
  const hostile = '<script>alert(1)</script>';
  const record = { model: hostile, description: hostile, odd: hostile, fuel_type: 'Propane' };
  const truck = { ...cleanTruck({ vin: '1FUJGLDR3HLHG7537', price: 50_000 }), ...record };
  await account.post(truck);
  await account.post({ ...truck, price: 45_000, make: 'Kenworth' });
  await browser.post(PATH, 'sold', { vin: truck.vin });
  const { text } = await browser.get(`${PATH}/${truck.vin}`);
  expect(text).toContain('make is Kenworth, but the VIN says ');
  expect(text).not.toMatch(/class_\d|Gvwr min|_tractor/);
  const plain = toPlainText(text);
  expect(plain).toMatch(/Quality \d+ of 100\. Missing: Photos \+\d+, /);
  expect(plain).toMatch(/Propane your record /);
  expect(plain).toMatch(/Class \d.*\$45,000 .*\$50,000/);
  expect(plain).toMatch(/Sold \S+@\S+ .* Listed \$50,000 API, upload or a removed feed/);
  for (const page of [text, (await browser.get(`${PATH}?q=${encodeURIComponent(hostile)}`)).text]) {
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('alert');
  }
});

test('a VIN, its last eight or six, or a stock number finds trucks of every state; a rejected one leads to its issue', async () => {
  const stock = ['AB-70011', 'AB-70012', '7013'].map((stock_number) => cleanTruck({ stock_number }));
  const rejected = cleanTruck({ stock_number: 'AB-70014', price: 12 });
  const trucks = [...stock, rejected];
  await account.post({ records: trucks });
  await account.patch({ vin: stock[1]?.vin, status: 'sold' });
  await account.patch({ vin: stock[2]?.vin, status: 'delisted' });
  const search = async (q: string) => (await browser.get(`${PATH}?q=${encodeURIComponent(q)}`)).text;
  for (const toNumber of [
    ({ vin }: Truck) => vin,
    ({ vin }: Truck) => vin.slice(-8).toLowerCase(),
    ({ vin }: Truck) => vin.slice(-6),
    ({ stock_number }: Truck) => String(stock_number),
  ]) {
    for (const truck of trucks) expect(await search(toNumber(truck))).toContain(truck.vin);
    const text = await search(`${trucks.map(toNumber).join(', ')} AB-70099`);
    expect(trucks.filter(({ vin }) => !text.includes(vin))).toEqual([]);
    expect(toPlainText(text)).toMatch(/sold \d+ \w{3,4} \d{4}.* No truck has AB-70099\./);
  }
  expect((await browser.get(`${PATH}?status=sold&q=${stock[0]?.vin}`)).text).toContain(stock[0]?.vin);
  for (const stock_number of ['STK 70021', 'STK#70022', 'STK70023']) {
    const truck = cleanTruck({ stock_number });
    await account.post(truck);
    await account.patch({ vin: truck.vin, status: 'sold' });
    for (const word of ['STK ', 'STK-', 'stk'])
      expect(await search(stock_number.replace(/\D+/, word))).toContain(truck.vin);
  }
  expect(toPlainText(await search('STK 70021, stk 70022; STK 70099'))).toMatch(
    /STK#70022 .*STK 70021 .*No truck has STK 70099\./,
  );
  const { vin } = rejected;
  for (const text of [await search(vin), (await browser.get(`${PATH}/${vin}`)).text]) {
    expect(toPlainText(text)).toContain(`${vin} was rejected. Correct the price`);
    expect(text).toContain(`href="/dashboard/issues?vin=${vin}"`);
  }
  const issues = await browser.get('/dashboard/issues?vin=ab-70014');
  expect(toPlainText(issues.text)).toMatch(new RegExp(`Show all .* ${vin} `));
  await browser.post('/dashboard/issues', 'leave_out', { code: 'PRICE_INVALID', field: 'price' });
  expect(await search('AB-70014')).toContain(`/dashboard/issues?vin=${vin}&amp;left_out=true`);
});

test('a stock number is found beside a hundred newer trucks that have its letters and its digits', async () => {
  const crowded = cleanTruck({ stock_number: 'TX26' });
  await account.post(crowded);
  await account.post({ records: cleanTrucks(101, { state: 'TX', model: '26' }) });
  expect((await browser.get(`${PATH}?q=TX26`)).text).toContain(crowded.vin);
});

test('a number that is also a word leads to the search for words', async () => {
  const [byNumber, byName] = [
    cleanTruck({ stock_number: '579' }),
    cleanTruck({ make: 'Peterbilt', model: '579' }),
  ];
  await account.post({ records: [byNumber, byName] });
  const { text } = await browser.get(`${PATH}?q=579`);
  expect([text.includes(byNumber.vin), text.includes(byName.vin)]).toEqual([true, false]);
  expect((await browser.get(findHref(text, 'Search for “579” as words'))).text).toContain(byName.vin);
});

test('a number that nothing has is named, unless trucks have it as a word', async () => {
  const volvo = cleanTruck({
    make: 'Volvo',
    model: 'VNL 760',
    year: 2019,
    class: 'class_8',
    city: 'Dallas',
    state: 'TX',
  });
  await account.post({ records: [volvo, cleanTruck({ body_type: 'stake_bed' })] });
  const see = async (q: string) =>
    toPlainText((await browser.get(`${PATH}?q=${encodeURIComponent(q)}`)).text);
  expect(await see('STK 9999')).toContain('No truck has STK 9999. Search for “STK 9999” as words');
  for (const words of ['Volvo 2019', 'VNL 760', 'Class 8', 'near Dallas 75201'])
    expect(await see(words), words).toContain(volvo.vin);
});

test('a truck’s page begins with price, state and buttons, then the VIN’s warning and its suggestions', async () => {
  const vin = '1FUJGLDR3HLHG7538';
  await account.post(cleanTruck({ vin, price: 51_000 }));
  const { text } = await browser.get(`${PATH}/${vin}`);
  expect(toPlainText(text)).toMatch(/\$51,000 available .*check digit.* It may be 1FUJGLDR\w{9} .*Facts/);
  const [, header = ''] = /<div class="truck">(.*?)<\/form>/s.exec(text) ?? [];
  expect(toPlainText(header)).toMatch(/Mark sold Delist $/);
  const marked = await browser.post(`${PATH}/${vin}`, 'sold', { vin });
  expect(marked.headers.get('location')).toBe(`${PATH}/${vin}?done=sold`);
});

test('a search is saved as CSV, by year unless another order was asked for', async () => {
  const [older, newer] = [2016, 2021].map((year) => cleanTruck({ year, price: 52_000 }));
  for (const truck of [older, newer]) await account.post(truck);
  // No change on the way moves a truck off its pages.
  for (const [order, ...trucks] of [
    ['', older, newer],
    ['&sort=newest', newer, older],
  ] as const) {
    const { text } = await browser.get(`${PATH}?file=csv&price_min=52000&price_max=52000${order}`);
    expect(text.match(/(?<=\n)\w{17}/g)).toEqual(trucks.map((truck) => truck?.vin));
  }
});

test('the overview counts stock by status, and what available trucks lack', async () => {
  const seller = await service.newAccount();
  const [delistedTruck, soldTruck, ...available] = cleanTrucks(5, { price: null });
  await seller.post({ records: [{ ...delistedTruck, price: 50_000 }, soldTruck, ...available] });
  await seller.patch({ vin: soldTruck?.vin, status: 'sold' });
  await seller.patch({ vin: delistedTruck?.vin, status: 'delisted' });
  expect(await readAttention(service.ports.db, seller.id)).toMatchObject({
    listings: { available: 3, sold: 1, delisted: 1 },
    without_images: 3,
    without_price: 3,
    without_dealer: 3,
  });
});
