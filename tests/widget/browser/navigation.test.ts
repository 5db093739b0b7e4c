import { expect, test } from 'vitest';
import { field, press } from './support/browser.ts';
import { dealerPage, describeOnStage, MIXER_VIN, stage, TRUCKS, visit } from './support/stage.ts';

/** From page to page, with and without a reload. */
describeOnStage('on the way through a site', () => {
  test('one widget works after swaps of the body and of the whole document, about the new page’s truck', async () => {
    const { page, button, says, shows, complaints } = await visit(stage);
    await page.waitForLoadState('networkidle');
    const swap = (isDocument: boolean, vin: string) =>
      page.evaluate(
        ([isDocument, vin]) => {
          const { src, dataset } = document.querySelector<HTMLScriptElement>('script[data-dealer]') ?? {};
          const tag = Object.assign(document.createElement('script'), { src });
          Object.assign(tag.dataset, dataset, { vin });
          const body = document.createElement('body');
          body.append('Another page', tag);
          if (isDocument) document.documentElement.replaceChildren(document.createElement('head'), body);
          else document.body.replaceWith(body);
        },
        [isDocument, vin] as const,
      );
    await swap(false, `${TRUCKS[3]?.vin}`);
    await says('Ask about this truck');
    await swap(true, MIXER_VIN);
    await expect.poll(() => page.locator('truck-widget').count()).toBe(1);
    await button.click();
    await shows('2012 Kenworth T880');
    expect(complaints).toEqual([]);
  });

  test('the next page goes on with search, scroll and draft, once the visitor opens it', async () => {
    const { page, button, panel, open } = await visit(stage);
    await open();
    await panel.getByRole('searchbox').fill('cascadia');
    await panel.getByText('14 trucks').waitFor();
    await panel.locator('.body').evaluate((body) => body.scrollTo(0, 300));
    await page.goto(dealerPage(stage));
    await button.waitFor();
    expect(await panel.count()).toBe(0);
    await open();
    expect(await panel.getByRole('searchbox').inputValue()).toBe('cascadia');
    await expect.poll(() => panel.locator('.body').evaluate((body) => body.scrollTop)).toBe(300);
    await press(panel, 'Chat');
    await field(panel, 'Message').fill('I am looking for');
    await page.goto(dealerPage(stage));
    await open();
    await press(panel, 'Chat');
    await expect.poll(() => field(panel, 'Message').inputValue()).toBe('I am looking for');
  });
});
