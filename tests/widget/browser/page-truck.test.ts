import { expect, test } from 'vitest';
import { field, press } from './support/browser.ts';
import { describeOnStage, MIXER_VIN, stage, TRUCKS, visit } from './support/stage.ts';

/** The truck that the page is about, also on pages that change without a reload. */
describeOnStage('the page’s truck', () => {
  const jsonLd = (vin: string) =>
    `<script type="application/ld+json">${JSON.stringify({ vehicleIdentificationNumber: vin })}</script>`;

  test.each([
    ['by its JSON-LD', { head: jsonLd(MIXER_VIN) }],
    ['by its tag, between blanks', { data: { vin: ` ${MIXER_VIN.slice(0, 9)}-${MIXER_VIN.slice(9)} ` } }],
  ])('is on the button, is what the panel opens on, and leads the list: %s', async (_, tag) => {
    const { button, panel } = await visit(stage, tag);
    await expect.poll(() => button.innerText()).toBe('Ask about this truck');
    await button.click();
    await panel.getByRole('heading', { level: 3, name: '2012 Kenworth T880' }).waitFor();
    await press(panel, 'Back');
    await expect.poll(() => panel.locator('.card b').first().innerText()).toBe('2012 Kenworth T880');
  });

  test('changes with the address: the button, the view and the form name the new one', async () => {
    const { page, button, panel } = await visit(stage, { data: { vin: MIXER_VIN } });
    await expect.poll(() => button.innerText()).toBe('Ask about this truck');
    await page.evaluate("history.replaceState({}, '', '?utm_source=spring#photos')");
    // The page is read twice a second.
    await page.waitForTimeout(1_200);
    expect(await button.innerText()).toBe('Ask about this truck');
    await page.evaluate("history.pushState({}, '', '/trucks')");
    await expect.poll(() => button.innerText()).toBe('Find a truck');
    const { vin } = TRUCKS[3] ?? {};
    await page.evaluate(`history.pushState({}, '', '/trucks/${vin}')`);
    await expect.poll(() => button.innerText()).toBe('Ask about this truck');
    await button.click();
    await panel.getByRole('heading', { level: 3, name: '2015 Freightliner Cascadia' }).waitFor();
    await press(panel, 'Contact the dealer');
    await panel.locator('.subject', { hasText: '2015 Freightliner Cascadia' }).waitFor();
    await page.evaluate(`history.pushState({}, '', '/trucks/${MIXER_VIN}')`);
    await panel.locator('.subject', { hasText: '2012 Kenworth T880' }).waitFor();
  });

  test('stays in the form that is being filled in when the visitor goes on to a page without one', async () => {
    const { page, button, panel } = await visit(stage);
    await page.evaluate(`history.pushState({}, '', '/trucks/${MIXER_VIN}')`);
    await expect.poll(() => button.innerText()).toBe('Ask about this truck');
    await button.click();
    await press(panel, 'Contact the dealer');
    await field(panel, 'Email').fill('walker@fleet.example');
    await page.evaluate("history.pushState({}, '', '/hours')");
    await expect.poll(() => button.textContent()).toBe('Find a truck');
    await panel.locator('.subject', { hasText: '2012 Kenworth T880' }).waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await press(panel, 'Send');
    expect(JSON.parse((await sent).postData() ?? '')).toMatchObject({ vin: MIXER_VIN });
  });

  test('that the service does not list is in the enquiry all the same', async () => {
    const { page, button, panel } = await visit(stage, { data: { vin: '1XPBDP9X0ED200001' } });
    await button.click();
    await press(panel, 'Contact the dealer');
    await panel.locator('.subject', { hasText: '1XPBDP9X0ED200001' }).waitFor();
    await field(panel, 'Email').fill('unlisted@fleet.example');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await press(panel, 'Send');
    expect(JSON.parse((await sent).postData() ?? '')).toMatchObject({ vin: '1XPBDP9X0ED200001' });
  });

  test('does not replace the truck that the visitor looks at: the button below means this one', async () => {
    const { page, button, panel } = await visit(stage, { data: { vin: MIXER_VIN } });
    await button.click();
    await panel.getByRole('heading', { level: 3, name: '2012 Kenworth T880' }).waitFor();
    await press(panel, 'Back');
    await panel.locator('.card', { hasText: '2020 Freightliner' }).click();
    await panel.getByRole('heading', { level: 3, name: '2020 Freightliner' }).waitFor();
    await page.evaluate("history.pushState({}, '', '/inventory')");
    await expect.poll(() => button.textContent()).toBe('Find a truck');
    await press(panel, 'Contact the dealer');
    await panel.locator('.subject', { hasText: '2020 Freightliner' }).waitFor();
  });

  test.each([['400 % of a phone', { width: 320, height: 200 }]])(
    'can be read and asked about on %s',
    async (_, viewport) => {
      const { panel, open } = await visit(stage, { head: jsonLd(MIXER_VIN) }, { viewport });
      await open();
      await press(panel, 'Contact the dealer');
      await field(panel, 'Name').waitFor();
      for (const name of ['Email', 'Phone', 'Message']) {
        await panel.getByRole('textbox', { name }).focus();
        const isSeen = await panel.getByRole('textbox', { name }).evaluate((field) => {
          const { left, top, height } = field.getBoundingClientRect();
          return (field.getRootNode() as ShadowRoot).elementFromPoint(left + 20, top + height / 2) === field;
        });
        expect(isSeen, name).toBe(true);
      }
      const heights = await panel.evaluate((dialog) => ({
        scroller: dialog.querySelector('.view')?.clientHeight ?? 0,
        dialog: dialog.clientHeight,
      }));
      expect(heights.scroller).toBeGreaterThan(heights.dialog * 0.6);
      const sizes = await panel
        .locator('input:not([inert]), textarea, select')
        .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
      for (const size of sizes) expect(size).toBeGreaterThanOrEqual(16);
    },
  );
});
