import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Firefox, hasFirefox, startFirefox } from './support/firefox.ts';
import { dealerPage, type Stage, useStage } from './support/stage.ts';

/** One way through the widget in Firefox: search, truck, chat, form, and the next page. */
describe.skipIf(!hasFirefox)('in Firefox', () => {
  let stage: Stage;
  let firefox: Firefox;
  beforeAll(async () => {
    stage = await useStage();
    stage.model.model = () => ({ say: 'Hello.' });
    firefox = await startFirefox();
  }, 60_000);
  afterAll(() => firefox?.close());

  const inPanel = (code: string) =>
    firefox.evaluate(`(() => {
      const root = document.querySelector('truck-widget')?.shadowRoot;
      const find = (selector) => root?.querySelector(selector);
      const named = (text) => [...(root?.querySelectorAll('button') ?? [])].find((each) => each.textContent === text);
      return ${code};
    })()`);
  const waitFor = (code: string) => expect.poll(() => inPanel(code), { timeout: 10_000 }).toBe(true);

  test('a visitor finds a truck, asks about it, leaves an email, and goes on', async () => {
    await firefox.goTo(dealerPage(stage, { data: { theme: 'dark' } }));
    await waitFor(`!!find('section > button')`);
    await inPanel(`find('section > button').click()`);
    await waitFor(`root.querySelectorAll('.card').length === 12`);
    expect(await inPanel(`getComputedStyle(find('dialog')).backgroundColor`)).toBe('rgb(26, 29, 33)');
    await inPanel(`find('.card').click()`);
    await waitFor(`!!find('h3') && !!named('Ask a question')`);
    await inPanel(`named('Ask a question').click()`);
    await waitFor(`!!find('.hints button')`);
    await inPanel(`find('.hints button').click()`);
    await waitFor(`find('.log')?.textContent.includes('Hello.') && find('.log').ariaBusy === 'false'`);
    await inPanel(`named('Contact the dealer').click()`);
    await waitFor(`!!find('input[name=email]')`);
    await inPanel(`(find('input[name=email]').value = 'fox@fleet.example',
      find('input[name=email]').dispatchEvent(new Event('input', { bubbles: true })), named('Send').click())`);
    await waitFor(`find('h3')?.textContent.startsWith('Thank you')`);
    const { leads } = await stage.call('GET', '/v1/leads');
    expect(leads.map(({ email }: { email: string }) => email)).toContain('fox@fleet.example');
    await firefox.goTo(dealerPage(stage));
    await waitFor(`!!find('section > button') && !find('dialog')`);
  }, 60_000);
});
