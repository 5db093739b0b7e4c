import { expect, test } from 'vitest';
import { field, press } from './support/browser.ts';
import { answerWith, describeOnStage, stage, TRUCKS, visit } from './support/stage.ts';

/** Looking for trucks, which needs no AI at all. */
describeOnStage('the trucks', () => {
  /** A visitor with the panel open. */
  async function openSearch(tag = {}) {
    const widget = await visit(stage, tag);
    await widget.open();
    const { panel } = widget;
    return {
      ...widget,
      readTitles: () => panel.locator('.card b').allInnerTexts(),
      box: panel.getByRole('searchbox'),
      says: (text: string) => panel.getByText(text, { exact: true }).waitFor(),
    };
  }

  test('are there at once, newest first, more of them on demand', async () => {
    const { readTitles, panel, says } = await openSearch();
    expect(await panel.getByRole('heading', { level: 2 }).innerText()).toBe('Heartland Trucks');
    await says(`${TRUCKS.length} trucks`);
    expect(await readTitles()).toHaveLength(12);
    await press(panel, 'Show more');
    await expect.poll(async () => new Set(await readTitles()).size).toBe(TRUCKS.length);
  });

  test('are found by words while the visitor types, and sorted', async () => {
    const { readTitles, panel, box, says } = await openSearch();
    const sortBy = (label: string) => panel.getByRole('combobox', { name: 'Sort' }).selectOption({ label });
    const prices = panel.locator('.card strong');
    await box.pressSequentially('kenworth');
    await expect.poll(readTitles).toEqual(['2012 Kenworth T880']);
    expect(await prices.innerText()).toBe('Call for price');
    await says('1 truck');
    await box.fill('zamboni');
    await says('No trucks');
    await box.fill('cascadia');
    await says('14 trucks');
    await sortBy('Lowest price');
    await expect.poll(async () => (await prices.allInnerTexts())[0]).toBe('$30,000');
    await sortBy('Fewest miles');
    await expect.poll(async () => (await readTitles())[0]).toBe('2025 Freightliner Cascadia');
  });

  test('are what “Find a truck” opens, whatever was shown before; the speech bubble opens the chat', async () => {
    const { panel, button, box } = await openSearch();
    await panel.locator('nav svg').click();
    await field(panel, 'Message').waitFor();
    await press(panel, 'Close');
    await button.click();
    await box.waitFor();
  });

  test('lose a reading by a tap on it', async () => {
    const { readTitles, panel, box } = await openSearch();
    await box.fill('kenworth near Dallas');
    await press(panel, 'Remove near Dallas, TX, within 100 miles');
    await expect.poll(() => box.inputValue()).toBe('kenworth');
    await press(panel, 'Remove Kenworth');
    await expect.poll(async () => [await box.inputValue(), (await readTitles()).length]).toEqual(['', 12]);
  });

  test('open to their facts, with a way to the dealer’s own page, and Back leads to where one was', async () => {
    const { readTitles, shows, focused, panel, box } = await openSearch();
    await box.fill('t880');
    await expect.poll(readTitles).toEqual(['2012 Kenworth T880']);
    await panel.locator('.card', { hasText: 'T880' }).click();
    await shows('2012 Kenworth T880');
    await expect
      .poll(() => panel.locator('dl').innerText())
      .toMatch(/Class\s+8[\s\S]*Condition\s+Used[\s\S]*VIN\s+1NKZXPEX5GJ105601/);
    const link = panel.getByRole('link', { name: 'Full details' });
    expect(await link.getAttribute('href')).toBe('https://heartland.example/trucks/t880');
    await press(panel, 'Back');
    await expect.poll(focused).toContain('2012 Kenworth T880');
    expect(await box.inputValue()).toBe('t880');
  });

  test('a failed search says what to do and works again when asked to', async () => {
    const widget = await visit(stage, {}, {}, (page) =>
      answerWith({ page, complaints: [] }, stage, 'inventory', { status: 503, json: 'not of ours' }, 1),
    );
    await widget.button.click();
    const alert = widget.panel.getByRole('alert');
    await alert.getByText('That did not work. Try again or contact the dealer.').waitFor();
    await press(alert, 'Try again');
    await widget.panel.locator('.card').nth(11).waitFor();
  });

  test('come by themselves once the connection is back', async () => {
    const { readTitles, page, panel, box } = await openSearch();
    await page.context().setOffline(true);
    await box.fill('t880');
    await panel.getByText('No connection.').waitFor();
    await page.context().setOffline(false);
    await expect.poll(readTitles).toEqual(['2012 Kenworth T880']);
  });

  test.each([
    ['es', 'Camiones', '15 camiones', '$95,000'],
    ['fr-CA', 'Camions', '15 camions', '95 000 $'],
  ])('are described in the page’s language: %s', async (lang, tab, count, price) => {
    const { panel, says } = await openSearch({ lang });
    await panel.getByRole('button', { name: tab }).waitFor();
    await says(count);
    const prices = (await panel.locator('.card strong').allInnerTexts()).join().replace(/\s/gu, ' ');
    expect(prices).toContain(price);
  });
});
