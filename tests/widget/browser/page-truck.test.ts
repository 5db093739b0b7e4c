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
    const { button, panel, says, shows } = await visit(stage, tag);
    await says('Ask about this truck');
    await button.click();
    await shows('2012 Kenworth T880');
    await press(panel, 'Back');
    await expect.poll(() => panel.locator('.card b').first().innerText()).toBe('2012 Kenworth T880');
  });

  test('changes with the address: the button, the view and the form name the new one', async () => {
    const { page, button, panel, says, shows, isAbout } = await visit(stage, { data: { vin: MIXER_VIN } });
    await says('Ask about this truck');
    await page.evaluate("history.replaceState({}, '', '?utm_source=spring#photos')");
    // The page is read twice a second.
    await page.waitForTimeout(1_200);
    expect(await button.innerText()).toBe('Ask about this truck');
    await page.evaluate("history.pushState({}, '', '/trucks')");
    await says('Find a truck');
    const { vin } = TRUCKS[3] ?? {};
    await page.evaluate(`history.pushState({}, '', '/trucks/${vin}')`);
    await says('Ask about this truck');
    await button.click();
    await shows('2015 Freightliner Cascadia');
    await press(panel, 'Contact the dealer');
    await isAbout('2015 Freightliner Cascadia');
    await page.evaluate(`history.pushState({}, '', '/trucks/${MIXER_VIN}')`);
    await isAbout('2012 Kenworth T880');
  });

  test('stays in the form that is being filled in when the visitor goes on to a page without one', async () => {
    const { page, button, panel, says, isAbout } = await visit(stage);
    await page.evaluate(`history.pushState({}, '', '/trucks/${MIXER_VIN}')`);
    await says('Ask about this truck');
    await button.click();
    await press(panel, 'Contact the dealer');
    await field(panel, 'Name').fill('Walker');
    await page.evaluate("history.pushState({}, '', '/hours')");
    await says('Find a truck');
    await isAbout('2012 Kenworth T880');
  });

  test('that the service does not list is in the enquiry all the same', async () => {
    const vin = '1XPBDP9X0ED200001';
    const { page, button, panel, isAbout } = await visit(stage, { data: { vin } });
    await button.click();
    await press(panel, 'Contact the dealer');
    await isAbout(vin);
    await field(panel, 'Email').fill('unlisted@fleet.example');
    const request = page.waitForRequest((request) => request.method() === 'POST');
    await press(panel, 'Send');
    expect(JSON.parse((await request).postData() ?? '')).toMatchObject({ vin });
  });

  test('does not replace the truck that the visitor looks at: the button below means this one', async () => {
    const { page, button, panel, says, shows, isAbout } = await visit(stage, { data: { vin: MIXER_VIN } });
    await button.click();
    await shows('2012 Kenworth T880');
    await press(panel, 'Back');
    await panel.locator('.card', { hasText: '2020 Freightliner' }).click();
    await shows('2020 Freightliner');
    await page.evaluate("history.pushState({}, '', '/inventory')");
    await says('Find a truck');
    await press(panel, 'Contact the dealer');
    await isAbout('2020 Freightliner');
  });

  test('can be asked about on 400 % of a phone', async () => {
    const viewport = { width: 320, height: 200 };
    const { panel, open } = await visit(stage, { head: jsonLd(MIXER_VIN) }, { viewport });
    await open();
    await press(panel, 'Contact the dealer');
    await field(panel, 'Name').waitFor();
    for (const name of ['Email', 'Phone', 'Message']) {
      await field(panel, name).focus();
      const isSeen = await field(panel, name).evaluate((field) => {
        const { left, top, height } = field.getBoundingClientRect();
        return (field.getRootNode() as ShadowRoot).elementFromPoint(left + 20, top + height / 2) === field;
      });
      expect(isSeen, name).toBe(true);
    }
  });
});
