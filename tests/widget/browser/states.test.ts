import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { field, press } from './support/browser.ts';
import { answerWith, describeOnStage, envelope, stage, visit, type Widget } from './support/stage.ts';

/** Every state, as axe and the eye of a ruler see it: in light and dark, on a desk and in a hand. */
describeOnStage('every state', () => {
  const DESK = { width: 1100, height: 800 };
  const HAND = { width: 360, height: 640 };

  async function expectSound(page: Page, state: string): Promise<void> {
    expect(await findViolations(page), state).toEqual([]);
    expect(await cutOff(page), `${state}: cut off`).toEqual([]);
  }

  test.each([DESK, HAND])('has no axe violation, and nothing is cut off: %o', async (viewport) => {
    const head =
      '<style>@media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }</style>';
    const widget = await visit(stage, { head }, { viewport });
    const { page, panel, button } = widget;
    await expectSound(page, 'closed');
    await widget.open();
    await expectSound(page, 'trucks');
    await panel.locator('.card').first().click();
    await panel.locator('h3').waitFor();
    await expectSound(page, 'a truck');
    await press(panel, 'Ask a question');
    await field(panel, 'Message').fill('Which sleepers are there?');
    await page.keyboard.press('Enter');
    await panel
      .getByText(/welcome|Happy|Any time/)
      .first()
      .waitFor();
    await panel.locator('.log[aria-busy=false]').waitFor();
    await expectSound(page, 'an answer');
    const wait = { status: 429, headers: { 'retry-after': '30' }, json: envelope('RATE_LIMITED') };
    await answerWith(widget, stage, 'chat', wait);
    await field(panel, 'Message').fill('And mixers?');
    await page.keyboard.press('Enter');
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
    await press(panel, 'Close');
    await button.waitFor();
  });

  test('is easy to read with any accent, in light and dark', async () => {
    const accents =
      '#ffffff #000000 #ffd400 #ff0000 #00ff00 #0000ff #808080 #757575 #e91e63 #00bcd4 rebeccapurple none'.split(
        ' ',
      );
    const widget = await visit(stage);
    await widget.open();
    await press(widget.panel, 'Chat');
    await field(widget.panel, 'Message').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await widget.page.emulateMedia({ colorScheme });
      for (const accent of accents) {
        const pale = Object.entries(await contrasts(widget, accent)).filter(([, ratio]) => !(ratio >= 4.5));
        expect(pale, `${accent}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  test('moves nothing for who asked for reduced motion', async () => {
    const { page, open } = await visit(stage);
    await open();
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    expect(moving).toBe(0);
  });

  test('in a hand it is a modal dialog over the whole screen, and the button is not in its way', async () => {
    const { panel, button, open } = await visit(
      stage,
      {},
      { viewport: HAND, hasTouch: true, isMobile: true },
    );
    await open();
    expect(await panel.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, ...HAND });
    expect(await button.isVisible()).toBe(false);
  });
});

/** Elements with text that their box, or the panel, cuts off; axe does not see that. `.ways` scrolls sideways. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dialog = document.querySelector('truck-widget')?.shadowRoot?.querySelector('dialog');
    if (!dialog?.open) return [];
    const frame = dialog.getBoundingClientRect();
    const texts = 'button, p, h2, h3, label, input, textarea, select, b, strong, span, dd';
    return [...dialog.querySelectorAll<HTMLElement>(texts)]
      .filter((node) => !node.closest('.hide, .ways') && node.getClientRects().length > 0)
      .filter((node) => {
        const { left, right } = node.getBoundingClientRect();
        const isClipped =
          node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline';
        return isClipped || left < frame.left || right > frame.right;
      })
      .map((node) => node.outerHTML.slice(0, 120));
  });
}

/** Contrast (WCAG 2.2) of text on accent and of the accent's text on the panel, as painted. */
function contrasts({ page }: Widget, accent: string): Promise<Record<string, number>> {
  return page.evaluate((accent) => {
    const root = document.querySelector('truck-widget')?.shadowRoot;
    const frame = root?.querySelector('section');
    const dialog = root?.querySelector('dialog');
    if (!frame || !dialog) throw new Error('no widget');
    if (CSS.supports('color', accent)) frame.style.setProperty('--accent', accent);
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const luminance = (colour: string) => {
      if (!canvas) throw new Error('no canvas');
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one: string, other: string) => {
      const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    };
    const readStyle = (selector: string) => {
      const found = dialog.querySelector(selector) ?? frame.querySelector(selector);
      if (!found) throw new Error(`no ${selector}`);
      return getComputedStyle(found);
    };
    const paper = getComputedStyle(dialog).backgroundColor;
    const filled = ['section > button', '.main'].map((name) => {
      const { color, backgroundColor } = readStyle(name);
      return [name, ratio(color, backgroundColor)] as const;
    });
    const plain = ['.hints button', '.link', '.soft', 'h2'].map(
      (name) => [name, ratio(readStyle(name).color, paper)] as const,
    );
    return Object.fromEntries([...filled, ...plain]);
  }, accent);
}
