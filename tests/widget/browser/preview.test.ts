import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawTrucks } from '../../../scripts/demo/drawing.ts';
import { field, newVisit, press } from './support/browser.ts';
import { DEALER, describeOnStage, ROOT, stage } from './support/stage.ts';

async function visitPreview(query: string) {
  const visit = await newVisit();
  const pictures = drawTrucks();
  await visit.page.route('**/docs/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const picture = pictures.get(/preview\/(.+)\.svg$/.exec(pathname)?.[1] ?? '');
    return picture
      ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
      : route.fulfill({ path: join(ROOT, 'scripts/docs/site/public', pathname.replace('/docs/', '')) });
  });
  await visit.page.goto(`${stage.service.url}/docs/widget-preview.html?${query}`);
  return visit;
}

/** What the docs show of the widget, and say of where its tag goes. */
describeOnStage('the docs', () => {
  test('show the widget with photos, a truck and the form, without the service', async () => {
    const { page, complaints } = await visitPreview('theme=dark');
    await page.locator('truck-widget section > button').click();
    const panel = page.locator('truck-widget dialog');
    const countLoaded = (images: Element[]) =>
      images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length;
    await expect.poll(() => panel.locator('.card img').evaluateAll(countLoaded)).toBeGreaterThan(2);
    await panel.locator('.card').first().click();
    await panel.getByRole('img', { name: '2020 Freightliner Cascadia 126' }).waitFor();
    await press(panel, 'Contact the dealer');
    await field(panel, 'Email').waitFor();
    expect(complaints).toEqual([]);
  });

  test('let an address set the looks of the preview only, and run no script in it', async () => {
    const looks = { accent: '#14505c', label: 'Trucks', side: 'left', theme: 'dark', language: 'fr' };
    const others = {
      privacy: 'https://evil.example',
      logo: 'https://evil.example/x.png',
      consent: 'All of it',
    };
    const { page } = await visitPreview(
      `${new URLSearchParams({ ...looks, ...others, dealer: 'x', phone: '1' })}`,
    );
    const tag = page.locator('script[data-dealer]');
    const options = await tag.evaluate(({ dataset }) => ({ ...dataset }));
    expect(options).toEqual({ ...looks, dealer: 'preview', key: 'ctis_wk_preview' });
    // The policy is in force.
    await expect(page.addScriptTag({ content: 'window.ran = true' })).rejects.toThrow();
  });

  test('give a tag manager a script that works as it stands there', async () => {
    const guide = readFileSync(join(ROOT, 'docs/widget.md'), 'utf8');
    const [, script = ''] = /Tag Manager\*\*[\s\S]*?```html\n([\s\S]*?)```/.exec(guide) ?? [];
    const html = script
      .replace('https://api.example.com', stage.service.url)
      .replace('lone-star-trucks', DEALER)
      .replace('ctis_wk_live_…', stage.key);
    const { page, complaints } = await newVisit();
    await page.goto(stage.publish(`<!doctype html><title>Trucks</title><body>${html}`));
    await page.locator('truck-widget section > button').click();
    await page.locator('truck-widget .card').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
