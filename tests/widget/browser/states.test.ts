import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { field, press } from './support/browser.ts';
import { answerWith, describeOnStage, envelope, stage, visit } from './support/stage.ts';

/** Every state, as axe and the eye of a ruler see it: in light and dark, on a desk and in a hand. */
describeOnStage('every state', () => {
  const HAND = { width: 360, height: 640 };

  /** Axe judges colours below the body alone, beside which the widget lies. */
  async function visitInBody(...options: Parameters<typeof visit>) {
    const widget = await visit(...options);
    await widget.page.evaluate(() => document.body.append(document.querySelector('truck-widget') ?? ''));
    return widget;
  }

  async function expectReadable(page: Page, state = ''): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      // It reads the page's colours twice a second.
      await page
        .locator(`truck-widget section[style*="color-scheme: ${scheme}"]`)
        .waitFor({ state: 'attached' });
      expect(await findViolations(page, scheme), state).toEqual([]);
    }
  }

  async function expectSound(page: Page, state: string): Promise<void> {
    await expectReadable(page, state);
    expect(await cutOff(page), `${state}: cut off`).toEqual([]);
  }

  test.each([{ width: 1100, height: 800 }, HAND])(
    'has no axe violation, and nothing is cut off: %o',
    async (viewport) => {
      const head =
        '<style>@media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }</style>';
      const widget = await visitInBody(stage, { head }, { viewport });
      const { page, panel, button, open } = widget;
      await expectSound(page, 'closed');
      await open();
      await expectSound(page, 'trucks');
      if (viewport === HAND) {
        expect(await panel.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
        expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, ...HAND });
        expect(await button.isVisible()).toBe(false);
      }
      await panel.locator('.card').first().click();
      await panel.locator('h3').waitFor();
      await expectSound(page, 'a truck');
      await press(panel, 'Ask a question');
      await field(panel, 'Message').fill('Which sleepers are there?');
      await press(panel, 'Send');
      await panel.locator('.log[aria-busy=false] .said').nth(2).waitFor();
      await expectSound(page, 'an answer');
      await answerWith(widget, stage, 'chat', { status: 429, json: envelope('RATE_LIMITED') });
      await field(panel, 'Message').fill('And mixers?');
      await press(panel, 'Send');
      await panel.getByRole('alert').waitFor();
      await expectSound(page, 'told to wait');
      await press(panel, 'Contact the dealer');
      await press(panel, 'Send');
      await panel.getByText('Email or phone').first().waitFor();
      await expectSound(page, 'a form with faults');
      await field(panel, 'Email').fill(`${viewport.width}@fleet.example`);
      await press(panel, 'Send');
      await panel.getByRole('heading', { name: 'Thank you.' }).waitFor();
      await expectSound(page, 'sent');
    },
  );

  test.each(
    '#ffffff #000000 #ffd400 #ff0000 #00ff00 #0000ff #808080 #757575 #e91e63 #00bcd4 rebeccapurple none'.split(
      ' ',
    ),
  )('is easy to read with the accent %s, in light and dark', async (accent) => {
    const { page, panel, open } = await visitInBody(stage, { data: { accent } });
    await expectReadable(page);
    await open();
    await press(panel, 'Chat');
    await panel.locator('.hints button').first().waitFor();
    await expectReadable(page);
  });
});

/** Elements with text that their box, or the panel, cuts off; axe does not see that. `.ways` scrolls sideways. */
function cutOff(page: Page): Promise<string[]> {
  const texts = '.body, button, p, h2, h3, label, input, textarea, select, b, strong, span, dd';
  return page
    .locator('truck-widget dialog[open]')
    .locator(texts)
    .evaluateAll((nodes) =>
      nodes
        .filter((node) => !node.closest('.hide, .ways') && getComputedStyle(node).display !== 'inline')
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map((node) => node.outerHTML.slice(0, 120)),
    );
}
