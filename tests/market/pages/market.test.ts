import { expect, test } from 'vitest';
import { answering } from '../../support/postgres/answering.ts';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';
import { others, own, service, uniqueMake } from '../service/sellers.ts';

/** The market in the browser, and a wall below Pro. */

test('prices and trends say where the own stock stands', async () => {
  const make = uniqueMake();
  const list = (seller: TestAccount, price: number) =>
    seller.post({
      records: [0, 1, 2].map((n) => goodTruck({ make, model: 'Hauler', year: 2018 + n, price })),
    });
  for (const seller of others) await list(seller, 60_000);
  await list(own, 66_000);
  const browser = await signedIn(service, own);
  const read = async (query: string) => toPlainText((await browser.get(`/dashboard/market?${query}`)).text);
  const prices = await read(`make=${make}&model=&class=`);
  expect(prices).toContain('9 trucks of 3 other sellers; 3 of yours.');
  expect(prices).not.toContain('by model year');
  expect(await read(`make=${make}&model=Hauler`)).toMatch(/2020 3 (\$60,000|–) 1 \$66,000/);
  const trends = await read(`make=${make}&view=trends`);
  expect(trends).toMatch(/Trucks of 3 other sellers\. .* Week of \d{4}-\d\d-\d\d 9 \$60,000 .* 3 \$66,000/);
  expect((await browser.get('/dashboard/market?model=Cascadia&make=%22%3E%3Cscript%3E')).status).toBe(200);
});

test('a model is chosen from those with figures, and an unknown one is answered with them', async () => {
  const make = uniqueMake();
  for (const seller of others)
    await seller.post({ records: [1, 2].map(() => goodTruck({ make, model: 'Cascadia 126' })) });
  await others[0]?.post(goodTruck({ make, model: 'Nobody else’s' }));
  const browser = await signedIn(service, own);
  const { text } = await browser.get(`/dashboard/market?make=${make}&model=Cascadia`);
  expect(toPlainText(text)).toContain(
    'No such trucks Nobody lists trucks of this kind. Choose another make, model or class.',
  );
  expect(text).not.toContain('Nobody else');
  const page = await browser.get(`/dashboard/market?make=${make}&model=cascadia126`);
  expect(page.text).toContain('<option value="Cascadia 126" selected>');
});

test('below Pro the page says what it would show, and whom to ask', async () => {
  const starter = await signedIn(service, await service.newAccount({ tier: 'starter' }));
  const { text } = await starter.get('/dashboard/market');
  expect(toPlainText(text)).toContain('Market data is part of Pro and Enterprise');
});

test('a page that a fault of ours breaks names its request, and when to come back', async () => {
  const down = () => {
    throw new Error('planted');
  };
  const broken = await startService(({ db }) => ({
    db: answering(db, (text) => (text.includes('feeds') ? down() : null)),
  }));
  const browser = await signedIn(broken, await service.newAccount());
  const { status, headers, text } = await browser.get('/dashboard/feeds');
  expect([status, headers.get('retry-after')]).toEqual([500, '2']);
  expect(text).toContain(`Quote ${headers.get('x-request-id')} to support@trucks.test.`);
  expect(text).not.toContain('planted');
});
