import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules whose verdict changes with the colour scheme; all others see the same page in both. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the page as it lies there: everything in light, and in dark what depends on colours. */
export async function findViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<unknown[]> {
  await page.emulateMedia({ colorScheme });
  // Without legacy mode each run opens a page of its own, which only frames of other origins need.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (colorScheme === 'dark') axe.withRules(COLOURS);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [
    colorScheme,
    id,
    nodes.map(({ html, failureSummary }) => [html, failureSummary]),
  ]);
}
