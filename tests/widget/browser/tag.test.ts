import { expect, test } from 'vitest';
import { field, newVisit, press } from './support/browser.ts';
import { dealerPage, describeOnStage, MIXER_VIN, servePicture, stage, visit } from './support/stage.ts';

/** What a page says about its widget: by attributes of the tag, and of its own buttons. */
describeOnStage('the tag', () => {
  test.each([
    [
      'of a page that an element draws dark',
      {
        head: '<style>body { margin: 0; background: #fff } main { min-height: 100vh; background: #111 }</style>',
      },
    ],
    ['as it says', { data: { theme: 'dark' } }],
  ])('gives the panel a dark theme on a light system: %s', async (_, tag) => {
    const { panel, open } = await visit(stage, tag, { colorScheme: 'light' });
    await open();
    const paper = await panel.evaluate((node) => getComputedStyle(node).backgroundColor);
    expect(paper).toBe('rgb(26, 29, 33)');
  });

  test('lifts the button, hides it, and puts the dealer’s logo into the header', async () => {
    const logo = `${stage.service.url}/widget.svg`;
    const widget = await visit(stage, { data: { offset: '90px', logo } }, {}, (page) =>
      servePicture(page, '/widget.svg'),
    );
    const box = await widget.button.boundingBox();
    expect(800 - (box?.y ?? 0) - (box?.height ?? 0)).toBe(90);
    await widget.open();
    await expect.poll(() => widget.panel.locator('header img').getAttribute('src')).toBe(logo);
    const { page } = await newVisit();
    const body = '<button data-truck-widget="lead">Ask</button>';
    await page.goto(dealerPage(stage, { data: { launcher: 'hidden' }, body }));
    await page.waitForLoadState('networkidle');
    expect(await page.locator('truck-widget section > button').isVisible()).toBe(false);
    await press(page, 'Ask');
    await field(page, 'Email').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Ask');
  });

  test('is opened by the page’s own buttons, also by those that come later', async () => {
    const { page, panel, isAbout, complaints } = await visit(stage);
    // Before the widget's file is there, links lead where they say.
    await page.waitForLoadState('networkidle');
    const press = (attributes: string) =>
      page.evaluate((html) => {
        document.querySelector('main')?.insertAdjacentHTML('beforeend', html);
        document.querySelector<HTMLElement>('main > :last-child > b')?.click();
      }, `<a href="/elsewhere" ${attributes}><b>Go</b></a>`);
    await press(`data-truck-widget="lead" data-vin="${MIXER_VIN}"`);
    await isAbout('2012 Kenworth T880');
    await press('data-truck-widget="chat"');
    await field(panel, 'Message').waitFor();
    await press('data-truck-widget="search"');
    await panel.getByRole('searchbox').waitFor();
    expect(page.url()).not.toContain('elsewhere');
    await page.evaluate(() => document.dispatchEvent(new MouseEvent('click')));
    expect(complaints).toEqual([]);
  });

  test('of each dealer makes a widget of its own, one panel at a time', async () => {
    await stage.call('POST', '/v1/dealers', { slug: 'constructor', name: 'Second Lot' });
    const { page, complaints } = await newVisit();
    const second = `<script async src="${stage.service.url}/widget.js" data-dealer="constructor" data-key="${stage.key}" data-label="Second"></script>`;
    await page.goto(dealerPage(stage, { body: second }));
    const buttons = page.locator('truck-widget section > button');
    await expect.poll(() => buttons.count()).toBe(2);
    // Neither lies over the other.
    for (const button of await buttons.all()) await button.click({ trial: true });
    const panels = page.locator('truck-widget dialog[open]');
    await press(page, 'Second');
    await panels.getByRole('heading', { name: 'Second Lot' }).waitFor();
    await page.evaluate("TruckWidget.dealers['heartland-trucks'].open()");
    await panels.getByRole('heading', { name: 'Heartland Trucks' }).waitFor();
    await expect.poll(() => panels.count()).toBe(1);
    await page.evaluate("TruckWidget.dealers['constructor'].destroy()");
    expect(await buttons.count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
