import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../../lib/dashboard/pages.ts';
import { findViolations } from '../../widget/browser/support/axe.ts';
import { closeVisits, hasChromium, newVisit, press } from '../../widget/browser/support/browser.ts';
import { DEALER, type Stage, useStage } from '../../widget/browser/support/stage.ts';

/** The dashboard in a real browser. */

const FEED = { name: 'Sample', url: 'https://feeds.invalid/trucks.csv', source_provider_id: 'dms' };
const LEAD = {
  message: `Is it ${'still'.repeat(60)} there?`,
  dealerSlug: DEALER,
  visitorId: 'v-1',
  phone: '(210) 555-0142',
};
/** Pages that look otherwise with a query. */
const QUERIES = [
  '/dashboard/inventory?q=sleeper+under+%24900k',
  '/dashboard/market?make=Freightliner',
  '/dashboard/market?view=trends',
  '/dashboard/settings/none',
];
/** A phone, a tablet and a desk; a tablet shows no element that neither of the others has. */
const LOOKS = [
  { width: 360, scheme: 'light' },
  { width: 820, scheme: null },
  { width: 1280, scheme: 'dark' },
] as const;
const MAX_TOUCH_WIDTH = 960;
/** Up to this width each row of a table is a card. */
const MAX_CARDS_WIDTH = 640;

let stage: Stage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await useStage();
  const feed = await stage.call('POST', '/v1/feeds', FEED);
  await stage.call('POST', `/v1/feeds/${feed.id}/runs?wait=true`);
  await stage.call('POST', '/v1/widget/lead', LEAD);
});
closeVisits();

/** As the owner of the stage's account, or as the operator, by a link. */
async function signIn(page: Page, who: 'owner' | 'operator' = 'owner'): Promise<void> {
  const { id } = await stage.call('GET', '/v1/account');
  const response = await fetch(`${stage.service.url}/api/admin/sign-in-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.service.adminToken}` },
    body: JSON.stringify(who === 'owner' ? { account_id: id, email: 'owner@heartland.example' } : {}),
  });
  const { url }: { url: string } = await response.json();
  await page.goto(url);
  await press(page, 'Sign in');
  await page.waitForURL(/\/dashboard(\/operator)?$/);
}

async function expectGoodLook(page: Page, path: string): Promise<void> {
  await page.goto(stage.service.url + path);
  for (const { width, scheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    if (scheme) expect(await findViolations(page, scheme), `${path}, ${width} px`).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} is wider than ${width} px`).toBeLessThanOrEqual(0);
    if (width <= MAX_TOUCH_WIDTH) expect(await findSmall(page), `${path}, ${width} px`).toEqual([]);
    const displays = await page
      .locator('table')
      .evaluateAll((tables) => tables.map((table) => getComputedStyle(table).display));
    if (width > MAX_CARDS_WIDTH) expect(displays, `${path}, ${width} px`).not.toContain('block');
  }
}

/** Targets below 44 px, and fields whose text is below 16 px: a phone zooms into them. */
const findSmall = (page: Page) =>
  page.evaluate(() => {
    const fields = 'select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])';
    const targets = 'a, button, summary, [type=checkbox], [type=radio]';
    return [...document.querySelectorAll(`${fields}, ${targets}`)].flatMap((element) => {
      const { height } = (element.closest('label') ?? element).getBoundingClientRect();
      const isFine = element.matches(fields) && Number.parseFloat(getComputedStyle(element).fontSize) < 16;
      return element.checkVisibility() && (height < 44 || isFine) ? [element.outerHTML] : [];
    });
  });

/** The paths of the role's pages: of those about one thing the first that another page leads to. */
async function* listPaths(page: Page, role: string): AsyncIterable<string> {
  const links = new Set<string>();
  for (const { path } of PAGES.filter((entry) => entry.role === role)) {
    const pattern = new RegExp(`^${path.replaceAll(/{\w+}/g, '[^/?]+')}$`);
    const isSample = (link: string) => pattern.test(link) && !PAGES.some((entry) => entry.path === link);
    yield path.includes('{') && role !== 'anyone' ? ([...links].find(isSample) ?? 'no link') : path;
    for (const link of await page.locator('a').all()) links.add((await link.getAttribute('href')) ?? '');
  }
}

describe.skipIf(!hasChromium)(
  'every page is accessible, fits fingers and screens, and keeps its own policy',
  () => {
    test.each(['member', 'owner', 'anyone', 'operator'])('%s', async (role) => {
      const { page, complaints } = await newVisit();
      if (role !== 'anyone') await signIn(page, role === 'operator' ? role : 'owner');
      for await (const path of listPaths(page, role)) await expectGoodLook(page, path);
      if (role === 'member') for (const path of QUERIES) await expectGoodLook(page, path);
      expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
    });

    test('leads are in sight on a phone, from every page', async () => {
      const { page } = await newVisit({ viewport: { width: 360, height: 640 } });
      await signIn(page);
      await page.goto(`${stage.service.url}/dashboard/activity`);
      const box = await page.getByRole('link', { name: 'Leads' }).boundingBox();
      expect(box?.x).toBeLessThan(300);
      expect(box?.y).toBeLessThan(120);
    });
  },
);

describe.skipIf(!hasChromium)('journeys', () => {
  test.each([true, false])(
    'a key is made, rotated and revoked by mouse alone, with script: %s',
    async (javaScriptEnabled) => {
      const { page, complaints } = await newVisit({ javaScriptEnabled });
      page.on('dialog', (dialog) => dialog.accept());
      await signIn(page);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Keys' }).click();
      const name = `Sync ${javaScriptEnabled}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Where is it used?').selectOption('secret');
      await press(page, 'Create the key');
      const key = await page.locator('.made code').textContent();
      expect(key).toMatch(/^ctis_sk_live_\w{36}$/);
      await page.getByRole('link', { name: 'Change, rotate or revoke it' }).click();
      await press(page, 'Create the new key');
      expect(await page.locator('.made code').textContent()).not.toBe(key);
      await page.getByRole('link', { name: 'Change, rotate or revoke it' }).click();
      await press(page, 'Revoke the key');
      await page.getByText('The key is revoked').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test('the code in the link’s fragment fills the field and leaves the address; refused, it is marked until it is changed', async () => {
    const { page } = await newVisit();
    await page.goto(`${stage.service.url}/dashboard/sign-in/code#12345678`);
    const field = page.getByLabel('Code of 8 digits');
    expect(await field.inputValue()).toBe('12345678');
    expect(page.url()).toBe(`${stage.service.url}/dashboard/sign-in/code`);
    await press(page, 'Sign in');
    const readMark = () => field.getAttribute('aria-invalid');
    await expect.poll(readMark).toBe('true');
    await field.fill('1');
    expect(await readMark()).toBeNull();
  });

  test('a file over 4 MB is refused in words before it is sent', async () => {
    const { page } = await newVisit();
    await signIn(page);
    await page.goto(`${stage.service.url}/dashboard/upload`);
    const input = page.getByLabel('File', { exact: true });
    const choose = (bytes: number) =>
      input.setInputFiles({ name: 'lot.csv', mimeType: 'text/csv', buffer: Buffer.alloc(bytes, 'x') });
    const readWords = () => input.evaluate((field: HTMLInputElement) => field.validationMessage);
    let posts = 0;
    const isPost = (request: Request) => request.method() === 'POST';
    page.on('request', (request) => {
      if (isPost(request)) posts += 1;
    });
    await choose(4 * 1024 ** 2);
    expect(await readWords()).toMatch(/^This file is over 4 MB/);
    await press(page, 'Check the file');
    await choose(100);
    expect(await readWords()).toBe('');
    await Promise.all([page.waitForRequest(isPost), press(page, 'Check the file')]);
    expect(posts).toBe(1);
  });

  test('script cannot turn text into markup, and the first visit weighs at most 12 kB', async () => {
    const { page } = await newVisit();
    await page.goto(`${stage.service.url}/dashboard/sign-in`);
    const inserted = page.evaluate(() => {
      document.body.innerHTML = '<b>x</b>';
    });
    await expect(inserted).rejects.toThrow(/TrustedHTML/);
    const sizes = await Promise.all(
      ['/dashboard.js', '/dashboard.css', '/dashboard/sign-in'].map(
        async (path) => gzipSync(await (await fetch(stage.service.url + path)).text()).length,
      ),
    );
    expect(sizes[0]).toBeLessThan(3_072);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12_288);
  });
});
