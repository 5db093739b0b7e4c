import { expect, test } from 'vitest';
import { newVisit } from './support/browser.ts';
import { dealerPage, describeOnStage, stage, visit } from './support/stage.ts';

/** Browsers that know less, and settings that paint over everything. */
describeOnStage('another browser', () => {
  test('that cannot run the panel gets the dealer’s phone, and no script error', async () => {
    const { page, complaints } = await newVisit();
    await page.addInitScript(() => {
      const original = CSS.supports;
      const supports = (text: string, value?: string) =>
        !text.includes('selector') && (value ? original(text, value) : original(text));
      Object.assign(CSS, { supports });
    });
    await page.goto(dealerPage(stage));
    const link = page.getByRole('link', { name: '+1 214 555 0142' });
    expect(await link.getAttribute('href')).toBe('tel:+12145550142');
    expect(await page.locator('truck-widget').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('in forced colours shows borders, the focus, the chosen tab and the chosen chip', async () => {
    const { page, panel, button, open } = await visit(stage, {}, { forcedColors: 'active' });
    const line = (node: Element) => {
      const { borderTopWidth, borderTopStyle, outlineStyle } = getComputedStyle(node);
      return [borderTopWidth, borderTopStyle, outlineStyle];
    };
    expect(await button.evaluate(line)).toEqual(['1px', 'solid', 'none']);
    await open();
    const chip = panel.getByRole('combobox', { name: 'Body' });
    await chip.selectOption({ index: 1 });
    await panel.locator('select.on').waitFor();
    const behind = (node: Element) => getComputedStyle(node).backgroundColor;
    const currentColor = await panel.locator('nav [aria-current=true]').evaluate(behind);
    expect(await panel.locator('nav [aria-current=false]').evaluate(behind)).not.toBe(currentColor);
    expect((await chip.evaluate(line))[0]).toBe('3px');
    await page.keyboard.press('Tab');
    expect((await panel.locator(':focus').evaluate(line))[2]).toBe('solid');
  });
});
