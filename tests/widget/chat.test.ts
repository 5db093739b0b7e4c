import { beforeEach, expect, test } from 'vitest';
import type { Move } from '../support/servers/openai-server.ts';
import {
  answerWith,
  describeOnStage,
  envelope,
  MIXER_VIN,
  type Stage,
  stage,
  visit,
  type Widget,
} from './support/stage.ts';

/** Conversations: browser, service and a model at the end of the line. */
describeOnStage('a conversation', () => {
  beforeEach(() => {
    stage.model.calls = [];
    stage.model.model = () => ({ say: 'Hello.' });
  });

  const cascadia = '1FUJGLDR3HLHG7501';
  /** Searches, then names a truck. */
  const finds: Stage['model']['model'] = ({ results }): Move =>
    results.length === 0
      ? { call: [{ name: 'get_truck', args: { vin: cascadia } }] }
      : { say: ['We have a 2012 Freightliner Cascadia. ', `It costs $30,000 [[${cascadia}]].`] };

  async function chatting(tag = {}, options = {}): Promise<Widget & { say(text: string): Promise<void> }> {
    const widget = await visit(stage, tag, options);
    await widget.open();
    await widget.panel.getByRole('button', { name: /^(Chat|Ask a question)$/ }).click();
    return {
      ...widget,
      async say(text) {
        await widget.panel.getByRole('textbox', { name: 'Message' }).fill(text);
        await widget.panel.getByRole('button', { name: 'Send' }).click();
      },
    };
  }
  const bubbles = ({ panel }: Widget) =>
    panel
      .locator('.log > .said')
      .evaluateAll((nodes) =>
        nodes.map((node) =>
          Array.from(node.querySelectorAll('p, li'), (part) => part.textContent).join('\n'),
        ),
      );
  const idle = ({ panel }: Widget) => panel.locator('.log[aria-busy=false]').waitFor();

  test('is answered out of the dealer’s inventory, with the truck’s card and ways to go on', async () => {
    stage.model.model = finds;
    const widget = await chatting();
    await widget.say('Do you have a Cascadia under $35,000?');
    const card = widget.panel.locator('.log .card');
    await card.waitFor();
    expect(await card.innerText()).toMatch(
      /2012 Freightliner Cascadia\s+\$30,000\s+700,000 mi · Sleeper tractor · Dallas, TX/,
    );
    await idle(widget);
    const [, mine, theirs] = await bubbles(widget);
    expect(mine).toContain('Do you have a Cascadia under $35,000?');
    expect(theirs).toBe('We have a 2012 Freightliner Cascadia. It costs $30,000.');
    expect(await widget.panel.locator('.hints button').count()).toBeGreaterThan(0);
    expect(widget.complaints).toEqual([]);
  });

  test('goes on where it was after a reload, and the model knows what was said', async () => {
    stage.model.model = finds;
    const widget = await chatting();
    await widget.page.waitForLoadState('networkidle');
    const asked = widget.page.waitForRequest(/widget\/chat/);
    await widget.say('Do you have a Cascadia?');
    expect(JSON.parse((await asked).postData() ?? '').visit, 'its visit is sent along').toMatch(/^\w+\./);
    await widget.panel.locator('.log .card').waitFor();
    await idle(widget);
    const before = await bubbles(widget);
    await widget.page.reload();
    await widget.button.click();
    await widget.panel.locator('.log .card').waitFor();
    expect(await bubbles(widget)).toEqual(before);
    stage.model.model = () => ({ say: 'It is in Dallas.' });
    await widget.panel.getByRole('textbox', { name: 'Message' }).fill('Where is it?');
    await widget.page.keyboard.press('Enter');
    await expect.poll(() => bubbles(widget)).toContain('It is in Dallas.');
    const told = JSON.stringify(stage.model.calls.at(-1)?.messages);
    expect(told).toContain('Do you have a Cascadia?');
  });

  test('is heard once by a screen reader: nothing while it grows, the whole at its end', async () => {
    stage.model.model = () => ({ say: ['First option. ', 'Second option. ', 'Third option.'], every: 60 });
    const widget = await chatting();
    await widget.panel.evaluate((dialog) => {
      const heard: string[] = [];
      Reflect.set(window, 'heard', heard);
      for (const region of dialog.querySelectorAll('[role=status], [role=alert], [aria-live=polite]'))
        new MutationObserver(() => {
          const text = region.textContent ?? '';
          if (text) heard.push(text);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    });
    expect(await widget.panel.getByRole('log').getAttribute('aria-live')).toBe('off');
    await widget.say('Hello?');
    await widget.panel.locator('.log[aria-busy=true]').waitFor();
    await idle(widget);
    expect(await widget.page.evaluate('heard')).toEqual(['First option. Second option. Third option.']);
  });

  test('can be stopped: what was said stays, and the provider’s work ends', async () => {
    stage.model.model = () => ({ hangAfter: 'There are trucks here. And ' });
    const widget = await chatting();
    const before = stage.model.aborted;
    await widget.say('Tell me everything');
    await expect.poll(() => bubbles(widget)).toContain('There are trucks here.');
    await widget.panel.getByRole('button', { name: 'Stop' }).click();
    await idle(widget);
    expect(await bubbles(widget)).toContain('There are trucks here.');
    expect(await widget.focused()).toBe('Message');
    await expect.poll(() => stage.model.aborted).toBe(before + 1);
    stage.model.model = () => ({ say: 'Hello.' });
    await widget.say('Still there?');
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
  });

  test('keeps the focus in the message field, and Shift+Enter makes a line', async () => {
    const widget = await chatting();
    const field = widget.panel.getByRole('textbox', { name: 'Message' });
    await field.fill('One');
    await field.press('Shift+Enter');
    await field.pressSequentially('Two');
    await field.press('Enter');
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
    await idle(widget);
    expect(stage.model.calls.at(-1)?.messages.at(-1)?.content).toContain('One\nTwo');
    expect(await widget.focused()).toBe('Message');
    expect(await field.inputValue()).toBe('');
  });

  test('knows the truck that the page’s JSON-LD names', async () => {
    const ld = { '@graph': [{ '@type': 'Vehicle', vehicleIdentificationNumber: MIXER_VIN }] };
    const widget = await chatting({
      head: `<script type="application/ld+json">{ broken</script><script type="application/ld+json">${JSON.stringify(ld)}</script>`,
    });
    await widget.panel.locator('.subject', { hasText: '2012 Kenworth T880' }).waitFor();
    await widget.panel.getByRole('button', { name: 'Is it still available?' }).click();
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
    expect(JSON.stringify(stage.model.calls.at(-1)?.messages)).toContain(MIXER_VIN);
  });

  test('a page that shows many trucks is about none; the page may say which one itself', async () => {
    const two = [MIXER_VIN, cascadia].map((vin) => ({ vehicleIdentificationNumber: vin }));
    const widget = await chatting({
      head: `<script type="application/ld+json">${JSON.stringify(two)}</script>`,
    });
    expect(await widget.panel.locator('.subject').count()).toBe(0);
    await widget.page.evaluate(`TruckWidget.vehicle('${cascadia}')`);
    await widget.panel.locator('.subject', { hasText: '2012 Freightliner Cascadia' }).waitFor();
    await widget.panel.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => widget.panel.locator('.subject').count()).toBe(0);
    expect(await widget.focused()).toBe('Message');
  });

  test('can be begun by the page, which hears of it', async () => {
    const widget = await visit(stage);
    await widget.page.evaluate(
      "window.heard = []; TruckWidget.on('message', (told) => heard.push(told.text)); TruckWidget.ask('Any mixers?')",
    );
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
    expect(await widget.page.evaluate('heard')).toEqual(['Any mixers?']);
  });

  test('a failed answer says so and is asked for again by one press, the question standing once', async () => {
    stage.model.model = () => ({ status: 500 });
    const widget = await chatting();
    await widget.say('Hello?');
    const alert = widget.panel.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('That did not work.');
    stage.model.model = () => ({ say: 'Here I am.' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => bubbles(widget)).toContain('Here I am.');
    expect((await bubbles(widget)).filter((text) => text.includes('Hello?'))).toHaveLength(1);
    expect(await alert.count()).toBe(0);
  });

  test('a stream that dies in the midst keeps what was said and says that it failed', async () => {
    stage.model.model = () => ({ dieAfter: 'There is one truck here. And the oth' });
    const widget = await chatting();
    await widget.say('What is there?');
    await widget.panel.getByRole('alert').waitFor();
    expect(await bubbles(widget)).toContain('There is one truck here.');
  });

  test('offline it says what to do, and goes on once there is a connection', async () => {
    const widget = await chatting();
    await widget.page.context().setOffline(true);
    await widget.say('Anybody?');
    const alert = widget.panel.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('No connection.');
    await widget.page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
  });

  test('a refusal for a while names the seconds and lets go on after them', async () => {
    const widget = await chatting();
    await answerWith(
      widget,
      stage,
      'chat',
      { status: 429, headers: { 'retry-after': '1' }, json: envelope('RATE_LIMITED') },
      1,
    );
    await widget.say('Too fast?');
    const again = widget.panel.getByRole('button', { name: /^Try again \(\d s\)$/ });
    await again.waitFor();
    expect(await again.isDisabled()).toBe(true);
    await widget.panel.getByRole('button', { name: 'Try again', exact: true }).click();
    await expect.poll(() => bubbles(widget)).toContain('Hello.');
  });

  test('without an AI provider there is only search and the form', async () => {
    const widget = await chatting();
    await answerWith(widget, stage, 'chat', { status: 500, json: envelope('CONFIG_ERROR') });
    await widget.say('Hello?');
    const alert = widget.panel.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Contact the dealer.');
    expect(await widget.panel.getByRole('button', { name: 'Chat' }).count()).toBe(0);
    await widget.panel.locator('.card').first().waitFor();
    await widget.panel.getByRole('button', { name: 'Contact the dealer' }).click();
    await widget.panel.getByRole('textbox', { name: 'Name' }).waitFor();
  });

  test('an address or number written here is one press from the dealer, in the form', async () => {
    const widget = await chatting();
    await widget.say('Call me at (214) 404-0199 or write to bob@stone.example.');
    await widget.panel.getByRole('button', { name: 'Send these details to the dealer' }).click();
    const value = (name: string) => widget.panel.getByRole('textbox', { name }).inputValue();
    await expect.poll(() => value('Email')).toBe('bob@stone.example');
    expect(await value('Phone')).toBe('(214) 404-0199');
    expect(await value('Message')).toContain('Call me at');
  });

  test('that turns out impossible leaves a visitor alone who went on to the form', async () => {
    const widget = await chatting();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await widget.page.route('**/v1/widget/chat?*', async (route) => {
      await answered;
      await route.fulfill({
        status: 500,
        json: envelope('CONFIG_ERROR'),
        headers: { 'access-control-allow-origin': stage.origin },
      });
    });
    await widget.say('Hello?');
    await widget.panel.getByRole('button', { name: 'Contact the dealer' }).click();
    const email = widget.panel.getByRole('textbox', { name: 'Email' });
    await email.fill('still@typing.example');
    const failed = widget.page.waitForResponse((response) => response.status() === 500);
    answer();
    await failed;
    await widget.page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await email.inputValue()).toBe('still@typing.example');
    expect(await widget.focused()).toBe('email');
    await widget.panel.getByRole('button', { name: 'Back' }).click();
    await widget.panel.locator('.card').first().waitFor();
  });

  test('what the model says is text, never markup', async () => {
    stage.model.model = () => ({ say: 'Look: <img src=x onerror=alert(1)> <b>bold</b>.' });
    const widget = await chatting();
    await widget.say('Show me');
    await expect.poll(async () => (await bubbles(widget)).length).toBe(3);
    await idle(widget);
    expect(await widget.panel.locator('.log img, .said b').count()).toBe(0);
  });

  test('draws lists as lists, their markup as text', async () => {
    const widget = await chatting();
    const text = 'We have:\n- <i>sleepers</i>\n- mixers\n\n1. Call us\n2. Come by';
    await widget.page.route('**/v1/widget/chat?*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        headers: { 'access-control-allow-origin': stage.origin },
        body: `event: text\ndata: ${JSON.stringify({ text })}\n\n`,
      }),
    );
    await widget.say('What is there?');
    await idle(widget);
    expect(await widget.panel.locator('.said > ul > li').allInnerTexts()).toEqual([
      '<i>sleepers</i>',
      'mixers',
    ]);
    expect(await widget.panel.locator('.said > ol > li').allInnerTexts()).toEqual(['Call us', 'Come by']);
  });

  test('says first that it is automatic, when what was said, and after a reload shows the newest message', async () => {
    stage.model.model = () => ({ say: 'We have many trucks here. '.repeat(12) });
    const widget = await chatting({}, { viewport: { width: 1100, height: 500 } });
    const note = widget.panel.locator('.body > .note:first-child');
    expect(await note.innerText()).toContain('automatic assistant');
    for (const question of ['What is there?', 'Anything else?', 'And the newest?']) {
      await widget.say(question);
      await idle(widget);
    }
    expect(await widget.panel.locator('.mine time').last().innerText()).toMatch(/^\d{1,2}:\d\d\s[AP]M$/);
    await widget.page.reload();
    await widget.button.click();
    const newest = widget.panel.locator('.mine', { hasText: 'And the newest?' });
    await newest.waitFor();
    const inSight = () =>
      newest.evaluate((node) => {
        const seen = node.closest('.body')?.getBoundingClientRect();
        const { top, bottom } = node.getBoundingClientRect();
        return !!seen && top >= seen.top && bottom <= seen.bottom;
      });
    await expect.poll(inSight).toBe(true);
  });
});
