import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../widget/browser/support/axe.ts';
import { closeVisits, hasChromium, newVisit, press } from '../../widget/browser/support/browser.ts';
import { DEALER, type Stage, useStage } from '../../widget/browser/support/stage.ts';

/** The dashboard in a real browser. */

const PAGES = {
  settings: [
    '/settings',
    '/settings/keys',
    '/settings/people',
    '/settings/widget',
    '/settings/dealers',
    `/settings/dealers/${DEALER}`,
    '/activity',
    '/no-such-page',
  ],
  trucks: [
    '',
    '/inventory',
    '/inventory?q=sleeper+under+%24900k',
    '/inventory/1FUJGLDR3HLHG7501',
    '/issues',
    '/upload',
  ],
  business: ['/feeds', '/feeds/new', '/leads', '/market?make=Freightliner', '/market?view=trends'],
  outside: ['/sign-in', '/sign-in/code', '/sign-in/operator', '/sign-in/link/used'],
  operator: ['/operator'],
};
/** A phone, where tables are narrowest, and a desk, each in one scheme: no element of these pages is hidden by either. */
const LOOKS = [
  { width: 360, scheme: 'light' },
  { width: 970, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
] as const;

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await useStage();
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
  await page.goto(`${stage.service.url}/dashboard${path}`);
  for (const { width, scheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findViolations(page, scheme), `${path}, ${width} px`).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} is wider than ${width} px`).toBeLessThanOrEqual(0);
  }
}

describe.skipIf(!hasChromium)('every page is accessible, fits, and keeps its own policy', () => {
  test.each(Object.entries(PAGES))('%s', async (group, paths) => {
    const { page, complaints } = await newVisit();
    if (group !== 'outside') await signIn(page, group === 'operator' ? group : 'owner');
    for (const path of paths) await expectGoodLook(page, path);
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });
});

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
      await page.getByLabel('What is it for?').fill(name);
      await press(page, 'Create the key');
      const made = await page.locator('.made code').textContent();
      expect(made).toMatch(/^ctis_sk_live_\w{36}$/);
      await page.getByRole('link', { name: 'Change, rotate or revoke it' }).click();
      await press(page, 'Create the new key');
      expect(await page.locator('.made code').textContent()).not.toBe(made);
      await page.getByRole('link', { name: 'Change, rotate or revoke it' }).click();
      await press(page, 'Revoke the key');
      await page.getByText('The key is revoked').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test('the code in the link’s fragment fills the field and leaves the address', async () => {
    const { page } = await newVisit();
    await page.goto(`${stage.service.url}/dashboard/sign-in/code#12345678`);
    expect(await page.getByLabel('Code of 8 digits').inputValue()).toBe('12345678');
    expect(page.url()).toBe(`${stage.service.url}/dashboard/sign-in/code`);
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
