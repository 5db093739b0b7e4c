import { expect, test } from 'vitest';
import { press } from './support/browser.ts';
import { answerWith, describeOnStage, stage, TRUCKS, visit, type Widget } from './support/stage.ts';

/** Looking for trucks, which needs no AI at all. */
describeOnStage('the trucks', () => {
  const found = ({ panel }: Widget) => panel.locator('.card b').allInnerTexts();

  test('are there at once, newest first, more of them on demand', async () => {
    const widget = await visit(stage);
    await widget.open();
    expect(await widget.panel.getByRole('heading', { level: 2 }).innerText()).toBe('Heartland Trucks');
    expect(await widget.panel.getByRole('link', { name: '+1 214 555 0142' }).getAttribute('href')).toBe(
      'tel:+12145550142',
    );
    await widget.panel.getByText(`${TRUCKS.length} trucks`).waitFor();
    expect(await found(widget)).toHaveLength(12);
    await press(widget.panel, 'Show more');
    await expect.poll(() => found(widget)).toHaveLength(TRUCKS.length);
    expect(
      new Set(
        await widget.panel
          .locator('.card')
          .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-vin'))),
      ).size,
    ).toBe(TRUCKS.length);
  });

  test('are found by words while the visitor types, and sorted', async () => {
    const widget = await visit(stage);
    await widget.open();
    await widget.panel.getByRole('searchbox').pressSequentially('kenworth');
    await expect.poll(() => found(widget)).toEqual(['2012 Kenworth T880']);
    expect(await widget.panel.locator('.card strong').innerText()).toBe('Call for price');
    await widget.panel.getByText('1 truck', { exact: true }).waitFor();
    await widget.panel.getByRole('searchbox').fill('zamboni');
    await widget.panel.getByText('No truck matches.').waitFor();
    await widget.panel.getByText('No trucks', { exact: true }).waitFor();
    await expect.poll(() => widget.panel.getByRole('combobox').count()).toBe(1);
    await widget.panel.getByRole('searchbox').fill('cascadia');
    await expect.poll(() => found(widget)).toHaveLength(12);
    await widget.panel.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Lowest price' });
    await expect
      .poll(async () => (await widget.panel.locator('.card strong').allInnerTexts())[0])
      .toBe('$30,000');
    await widget.panel.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Fewest miles' });
    await expect.poll(async () => (await found(widget))[0]).toBe('2025 Freightliner Cascadia');
  });

  test('open to their facts, with a way to the dealer’s own page, and Back leads to where one was', async () => {
    const widget = await visit(stage);
    await widget.open();
    await widget.panel.getByRole('searchbox').fill('t880');
    await expect.poll(() => found(widget)).toEqual(['2012 Kenworth T880']);
    await widget.panel.locator('.card').click();
    await widget.panel.getByRole('heading', { level: 3, name: '2012 Kenworth T880' }).waitFor();
    await expect
      .poll(() => widget.panel.locator('dl').innerText())
      .toMatch(/Class\s+8[\s\S]*Condition\s+Used[\s\S]*VIN\s+1NKZXPEX5GJ105601/);
    const link = widget.panel.getByRole('link', { name: 'Full details' });
    expect(await link.getAttribute('href')).toBe('https://heartland.example/trucks/t880');
    await press(widget.panel, 'Back');
    expect(await widget.focused()).toContain('2012 Kenworth T880');
    expect(await widget.panel.getByRole('searchbox').inputValue()).toBe('t880');
  });

  test('a failed search says what to do and works again when asked to', async () => {
    const widget = await visit(stage, {}, {}, (page) =>
      answerWith({ page, complaints: [] }, stage, 'inventory', { status: 503, json: 'not of ours' }, 1),
    );
    await widget.button.click();
    const alert = widget.panel.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('That did not work. Try again or contact the dealer.');
    await press(alert, 'Try again');
    await expect.poll(() => found(widget)).toHaveLength(12);
  });

  test('come by themselves once the connection is back', async () => {
    const widget = await visit(stage);
    await widget.open();
    await widget.page.context().setOffline(true);
    await widget.panel.getByRole('searchbox').fill('t880');
    await widget.panel.getByText('No connection.').waitFor();
    await widget.page.context().setOffline(false);
    await expect.poll(() => found(widget)).toEqual(['2012 Kenworth T880']);
  });

  test.each([
    ['es', 'Camiones', '15 camiones', '$95,000'],
    ['fr-CA', 'Camions', '15 camions', '95 000 $'],
  ])('are told of in the page’s language: %s', async (lang, tab, count, price) => {
    const widget = await visit(stage, { lang });
    await widget.open();
    await widget.panel.getByRole('button', { name: tab }).waitFor();
    await widget.panel.getByText(count, { exact: true }).waitFor();
    const prices = (await widget.panel.locator('.card strong').allInnerTexts()).join().replace(/\s/gu, ' ');
    expect(prices).toContain(price);
  });
});
