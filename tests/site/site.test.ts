import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../widget/browser/support/axe.ts';
import { closeVisits, hasChromium, newVisit, press } from '../widget/browser/support/browser.ts';
import { type ServedSite, serveSite } from './support/served-site.ts';

/** The docs site as it is built, in a real browser, with the service behind it. */

let site: ServedSite;
beforeAll(async () => {
  if (hasChromium) site = await serveSite();
}, 300_000);
afterAll(() => site?.close());
closeVisits();

/** One of each kind: what it takes to look at a page grows with its samples. */
const PAGES = [
  '/docs/',
  '/docs/sync.html',
  '/docs/limits.html',
  '/docs/errors/DUAL_USE_QUARANTINED.html',
  '/docs/operations.html',
  '/docs/widget.html',
  '/docs/find.html?q=webhook',
  '/no-such-page',
];

async function readPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const name of await readdir(site.folder, { recursive: true }))
    if (name.endsWith('.html')) pages.set(`/docs/${name}`, await readFile(join(site.folder, name), 'utf8'));
  return pages;
}

describe.skipIf(!hasChromium)('the docs site', () => {
  test.each(['light', 'dark'] as const)('is accessible and keeps its own policy: %s', async (colorScheme) => {
    const { page, complaints } = await newVisit({ colorScheme });
    for (const path of PAGES) {
      await page.goto(site.url + path);
      expect(await findViolations(page, colorScheme), path).toEqual([]);
    }
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });

  test('has a policy on every page, and no link that leads nowhere', async () => {
    const pages = await readPages();
    const policy =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; script-src 'self'";
    const broken: string[] = [];
    for (const [path, html] of pages) {
      expect(html, path).toContain(policy);
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        const { pathname, hash, origin } = new URL(href.replaceAll('&amp;', '&'), `http://docs.test${path}`);
        if (origin !== 'http://docs.test' || !pathname.startsWith('/docs/')) continue;
        const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
        const isFile = !target.endsWith('.html') && site.has(target);
        const id = decodeURIComponent(hash.slice(1));
        const isThere =
          id === '' || target === '/docs/reference.html' || pages.get(target)?.includes(`id="${id}"`);
        if (!isFile && !(pages.has(target) && isThere)) broken.push(`${path}: ${href}`);
      }
    }
    expect(pages.size).toBeGreaterThan(45);
    expect(pages.has('/docs/errors.html'), 'without a slash').toBe(true);
    expect(broken).toEqual([]);
  });

  test('samples name the address that serves them, in the language chosen once', async () => {
    const { page } = await newVisit();
    await page.goto(`${site.url}/docs/quick-start.html`);
    await page.getByText(`export BASE=${site.url}`).waitFor();
    await page.locator('.tabs').first().getByText('Python', { exact: true }).click();
    await page.goto(`${site.url}/docs/trucks.html`);
    await page.locator('.tabs').first().getByText('urllib.request.Request').waitFor();
  });

  test('a stray address leads to the search, which finds the page', async () => {
    const { page, complaints } = await newVisit();
    const stray = `${site.url}/docs/erors`;
    expect((await fetch(stray)).status).toBe(404);
    await page.goto(stray);
    const box = page.getByRole('searchbox', { name: 'Search the docs' });
    await box.fill('webhook');
    await box.press('Enter');
    await page.locator('.results a').first().click();
    await page.waitForURL(/\/docs\/(?!find)[\w/-]+\.html/);
    await expect.poll(() => page.locator('main').textContent()).toContain('webhook');
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });

  test('no page scrolls sideways, no code in a table is broken, and the quick start fits five screens', async () => {
    const { page } = await newVisit();
    for (const width of [360, 820, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of [...PAGES, '/docs/quick-start.html', '/docs/warnings.html', '/docs/leads.html']) {
        await page.goto(site.url + path);
        const sizes = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          height: document.documentElement.scrollHeight,
          broken: [...document.querySelectorAll('td code')]
            .filter((code) => !/[ /-]/.test(code.textContent) && code.getClientRects().length > 1)
            .map(({ textContent }) => textContent),
        }));
        expect(sizes, `${path} at ${width}`).toMatchObject({ width, broken: [] });
        if (path.includes('quick-start') && width === 1280) expect(sizes.height).toBeLessThanOrEqual(5 * 800);
      }
    }
  });

  test('without JavaScript a page shows its samples, and the search lists the pages', async () => {
    const { page } = await newVisit({ javaScriptEnabled: false });
    await page.goto(`${site.url}/docs/trucks.html`);
    await page.locator('.tabs').first().getByText('curl -i').waitFor();
    await page.goto(`${site.url}/docs/find.html?q=webhook`);
    await page.locator('main').getByRole('link', { name: 'Leads' }).waitFor();
  });

  test('a page is copied as the Markdown that is served beside it', async () => {
    const { page } = await newVisit();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${site.url}/docs/limits.html`);
    await press(page, 'Copy page as Markdown');
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await (await fetch(`${site.url}/docs/limits.md`)).text());
  });

  test('a sample of the reference has no optional parameter, and a write that is tried there stores nothing', async () => {
    const { page } = await newVisit();
    await page.goto(`${site.url}/docs/reference.html#tag/inventory/POST/v1/inventory`);
    const parameter = page.locator('li', { hasText: 'dry_run' }).first();
    await parameter.waitFor();
    expect(await parameter.textContent()).not.toContain('required');
    const sample = page.locator('[id$="/POST/v1/inventory"] .request-card');
    await expect.poll(() => sample.textContent()).toContain('--request POST');
    expect(await sample.textContent()).not.toContain('?');
    await press(page, /^Test Request ?.post .v1.inventory.$/);
    const sending = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Send post request' }).first().click();
    const request = await sending;
    expect(new URL(request.url()).search).toBe('?dry_run=true');
    expect(request.headers()['idempotency-key']).toBeUndefined();
  });
});
