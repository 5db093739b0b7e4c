import { beforeEach, expect, test } from 'vitest';
import { choose, type Move } from '../../support/servers/openai-server.ts';
import { field, press } from './support/browser.ts';
import {
  answerWith,
  describeOnStage,
  envelope,
  MIXER_VIN,
  type Stage,
  stage,
  visit,
} from './support/stage.ts';

const THANKS = 'You’re welcome.';

/** Conversations: browser, service and a model at the end of the line. */
describeOnStage('a conversation', () => {
  beforeEach(() => {
    stage.model.calls = [];
    stage.model.model = () => choose({ say: 'thank' });
  });

  const cascadia = '1FUJGLDR3HLHG7501';
  /** Searches, then names a truck. */
  const finds: Stage['model']['model'] = ({ results }): Move =>
    results.length === 0
      ? { call: [{ name: 'get_truck', args: { vin: cascadia } }] }
      : choose({ say: 'available', vin: cascadia });

  /** With the chat open, or begun by a script of the page. */
  async function chatting(tag = {}, script?: string) {
    const widget = await visit(stage, tag);
    const { page, panel } = widget;
    if (script) await page.evaluate(script);
    else {
      await widget.open();
      await press(panel, /^(Chat|Ask a question)$/);
    }
    const bubbles = () =>
      panel
        .locator('.log > .said')
        .evaluateAll((nodes) =>
          nodes.map((node) =>
            Array.from(node.querySelectorAll('p, li'), (part) => part.textContent).join('\n'),
          ),
        );
    return {
      ...widget,
      bubbles,
      async say(text: string) {
        await field(panel, 'Message').fill(text);
        await press(panel, 'Send');
      },
      /** Waits until the answer is complete. */
      idle: () => panel.locator('.log[aria-busy=false]').waitFor(),
      isThanked: () => expect.poll(async () => (await bubbles()).at(-1)).toMatch(THANKS),
    };
  }

  test('is answered out of the dealer’s inventory, and goes on after a reload', async () => {
    stage.model.model = finds;
    const widget = await chatting();
    const { page, panel } = widget;
    expect(await panel.locator('.body > .note:first-child').innerText()).toContain('automatic assistant');
    await page.waitForLoadState('networkidle');
    const request = page.waitForRequest(/widget\/chat/);
    await widget.say('Do you have a Cascadia under $35,000?');
    expect(JSON.parse((await request).postData() ?? '').visit, 'its visit is sent along').toMatch(/^\w+\./);
    const card = panel.locator('.log .card');
    await card.waitFor();
    expect(await card.innerText()).toMatch(
      /2012 Freightliner Cascadia\s+\$30,000\s+700,000 mi · Sleeper tractor · Dallas, TX/,
    );
    await widget.idle();
    const before = await widget.bubbles();
    expect(before).toEqual([
      expect.any(String),
      expect.stringContaining('Do you have a Cascadia under $35,000?'),
      expect.stringMatching(/2012 Freightliner Cascadia .*is .*for sale/),
    ]);
    await page.reload();
    await widget.open();
    await press(panel, 'Chat');
    await card.waitFor();
    expect(await widget.bubbles()).toEqual(before);
    stage.model.model = () => choose({ say: 'trucks', vins: [cascadia], facts: ['location'] });
    await widget.say('Where is it?');
    await expect.poll(async () => (await widget.bubbles()).at(-1)).toContain('Dallas, TX');
    expect(widget.complaints).toEqual([]);
  });

  test('is read once by a screen reader, when it is complete', async () => {
    stage.model.model = () => choose({ say: 'thank' }, { say: 'ask', about: 'budget' }, { say: 'goodbye' });
    const widget = await chatting();
    await widget.panel.evaluate((dialog) => {
      const liveTexts: string[] = [];
      Reflect.set(window, 'liveTexts', liveTexts);
      const live = '[role=status], [role=alert], [role=log]:not([aria-live=off]), [aria-live=polite]';
      for (const region of dialog.querySelectorAll(live))
        new MutationObserver(() => {
          const text = region.textContent ?? '';
          if (text) liveTexts.push(text);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    });
    await widget.say('Hello?');
    const readLiveTexts = () => widget.page.evaluate('liveTexts') as Promise<string[]>;
    await expect.poll(readLiveTexts).not.toEqual([]);
    await widget.idle();
    expect(await readLiveTexts()).toEqual([(await widget.bubbles()).at(-1)]);
  });

  test('can be stopped, and the provider’s work ends', async () => {
    stage.model.model = () => ({ hang: true });
    const widget = await chatting();
    const before = stage.model.aborted;
    await widget.say('Tell me everything');
    await expect.poll(() => stage.model.calls.length).toBe(1);
    await press(widget.panel, 'Stop');
    await widget.idle();
    await expect.poll(() => stage.model.aborted).toBe(before + 1);
    stage.model.model = () => choose({ say: 'thank' });
    await widget.say('Still there?');
    await widget.isThanked();
  });

  test('a page that shows many trucks is about none; the page may say which one itself', async () => {
    const two = [MIXER_VIN, cascadia].map((vin) => ({ vehicleIdentificationNumber: vin }));
    const widget = await chatting({
      head: `<script type="application/ld+json">${JSON.stringify(two)}</script>`,
    });
    expect(await widget.panel.locator('.subject').count()).toBe(0);
    await widget.page.evaluate(`TruckWidget.vehicle('${cascadia}')`);
    await widget.isAbout('2012 Freightliner Cascadia');
    await press(widget.panel, 'Remove');
    await expect.poll(() => widget.panel.locator('.subject').count()).toBe(0);
  });

  test('can be begun by the page, which gets an event', async () => {
    const widget = await chatting(
      {},
      "window.heard = []; TruckWidget.on('message', (message) => heard.push(message.text)); TruckWidget.ask('Any mixers?')",
    );
    await widget.isThanked();
    expect(await widget.page.evaluate('heard')).toEqual(['Any mixers?']);
  });

  test('a failed answer says so, and one press asks again without repeating the question', async () => {
    stage.model.model = () => ({ status: 500 });
    const widget = await chatting();
    await widget.say('Hello?');
    const alert = widget.panel.getByRole('alert');
    await alert.getByText('That did not work.').waitFor();
    stage.model.model = () => choose({ say: 'thank' });
    await press(alert, 'Try again');
    await widget.isThanked();
    expect((await widget.bubbles()).filter((text) => text.includes('Hello?'))).toHaveLength(1);
  });

  test('a refusal names the seconds to wait, and ends after them', async () => {
    const widget = await chatting();
    await widget.page.clock.install();
    const wait = { status: 429, headers: { 'retry-after': '60' }, json: envelope('RATE_LIMITED') };
    await answerWith(widget, stage, 'chat', wait, 1);
    await widget.say('Too fast?');
    const button = widget.panel.getByRole('button', { name: /^Try again \(\d+ s\)$/ });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await widget.page.clock.runFor(60_000);
    await widget.panel.getByRole('button', { name: 'Try again', exact: true }).click();
    await widget.isThanked();
  });

  test('an address or number written here is one press from the dealer, in the form', async () => {
    const widget = await chatting();
    await widget.say('Call me at (214) 404-0199 or write to bob@stone.example.');
    await press(widget.panel, 'Send these details to the dealer');
    const value = (name: string) => field(widget.panel, name).inputValue();
    await expect.poll(() => value('Email')).toBe('bob@stone.example');
    expect(await value('Phone')).toBe('(214) 404-0199');
    expect(await value('Message')).toContain('Call me at');
  });
});
