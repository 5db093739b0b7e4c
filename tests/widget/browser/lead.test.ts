import { expect, test } from 'vitest';
import { field, press } from './support/browser.ts';
import {
  answerWith,
  describeOnStage,
  envelope,
  MIXER_VIN,
  stage,
  type Tag,
  visit,
  type Widget,
} from './support/stage.ts';

/** Leaving one's details. */
describeOnStage('the form', () => {
  const parts = ({ panel }: Widget) => ({
    name: field(panel, 'Name'),
    email: field(panel, 'Email'),
    phone: field(panel, 'Phone'),
    message: field(panel, 'Message'),
    send: panel.getByRole('button', { name: 'Send' }),
    thanks: panel.getByRole('heading', { name: 'Thank you. The dealer will get back to you.' }),
  });
  async function form(tag: Tag = {}) {
    const widget = await visit(stage, tag);
    await widget.open();
    await press(widget.panel, 'Contact the dealer');
    return { widget, ...parts(widget) };
  }
  const findLead = async (email: string) => {
    const { leads } = await stage.call('GET', '/v1/leads');
    return leads.find((lead: { email: string | null }) => lead.email === email);
  };

  test.each([
    ['consent', { consent: 'I agree to calls and texts. '.repeat(80) }, { vin: null }],
    ['vin', { vin: `<?php echo get_post_meta(get_the_ID(), 'vin', true); ?>` }, {}],
  ])('sends what a visitor wrote whatever the tag says: %s', async (name, data, expected) => {
    const { widget, email, send, thanks } = await form({ data });
    await press(widget.panel, 'Back');
    await widget.panel.getByRole('searchbox').waitFor();
    await press(widget.panel, 'Contact the dealer');
    await email.fill(`${name}@tag.example`);
    await send.click();
    await thanks.waitFor();
    expect(await findLead(`${name}@tag.example`)).toMatchObject(expected);
  });

  test.each([
    ['https://heartland.example/privacy', 1],
    ['/privacy', 1],
    [' java\nscript:alert(1)', 0],
  ])('links a privacy notice on the web only: %j', async (privacy, links) => {
    const { widget, email } = await form({ data: { privacy } });
    await email.waitFor();
    expect(await widget.panel.getByRole('link', { name: 'Privacy' }).count()).toBe(links);
  });

  test('brings the lead to the dealer: who, about what, with the consent as it was read', async () => {
    const tag = {
      data: { consent: 'Yes, call me about trucks.', privacy: 'https://heartland.example/privacy' },
    };
    const { widget, name, email, phone, message, send, thanks } = await form(tag);
    await press(widget.panel, 'Back');
    await widget.panel.getByRole('searchbox').fill('t880');
    await expect.poll(() => widget.panel.locator('.card').count()).toBe(1);
    await widget.panel.locator('.card').click();
    await press(widget.panel, 'Contact the dealer');
    expect(await widget.panel.locator('.subject').innerText()).toBe('2012 Kenworth T880');
    expect(await widget.panel.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe(
      'https://heartland.example/privacy',
    );
    await name.fill('Rosa Díaz');
    await email.fill('rosa@fleet.example');
    await phone.fill('(210) 555-0143');
    await message.fill('Does it have a booster axle?');
    await widget.page.evaluate("TruckWidget.on('lead', (told) => { window.told = told })");
    await send.click();
    await thanks.waitFor();
    expect(await widget.focused()).toBe('Thank you. The dealer will get back to you.');
    const lead = await findLead('rosa@fleet.example');
    expect(lead).toMatchObject({ name: 'Rosa Díaz', phone: '+12105550143', vin: MIXER_VIN });
    expect(lead.message).toBe('Does it have a booster axle?');
    expect(JSON.stringify(lead)).toContain('Yes, call me about trucks.');
    expect(await widget.page.evaluate('told.leadId')).toBe(lead.id);
    // There is a way to write again, also after a reload.
    await press(widget.panel, 'Back');
    await widget.panel.getByRole('button', { name: 'Send another message' }).waitFor();
    await widget.page.reload();
    await widget.open();
    await widget.panel.getByRole('button', { name: 'Send another message' }).waitFor();
    expect(widget.complaints).toEqual([]);
  });

  test('asks for what is missing, field by field, and moves to the first', async () => {
    const { widget, email, phone, send } = await form();
    await send.click();
    expect(await widget.focused()).toBe('email');
    const why = async (field: typeof email) => {
      const id = await field.getAttribute('aria-describedby');
      return widget.panel.locator(`[id="${id}"]`).innerText();
    };
    expect(await why(email)).toBe('Enter an email or a phone number.');
    await phone.fill('12');
    await send.click();
    expect(await widget.focused()).toBe('phone');
    expect(await email.getAttribute('aria-invalid')).toBe('false');
    expect(await why(phone)).toBe('A US number has 10 digits; others begin with +.');
  });

  test('asks by intent what the dealer needs, and offers text messages in a box of their own', async () => {
    const { widget, name, email, phone, send, thanks } = await form();
    const { panel } = widget;
    await email.fill('trader@fleet.example');
    await name.fill('Tess Trader');
    expect(await panel.getByRole('checkbox').count()).toBe(0);
    await phone.fill('(210) 555-0177');
    const offers = panel.getByRole('checkbox', { name: /Text me offers/ });
    expect(await offers.isChecked()).toBe(false);
    await panel.getByRole('combobox', { name: 'What is it about?' }).selectOption('trade_in');
    await field(panel, 'Make (required)').fill('Peterbilt');
    await field(panel, 'Year (required)').fill('old');
    await send.click();
    expect(await widget.focused()).toBe('details.model');
    expect(await panel.locator('.wrong').allInnerTexts()).toEqual([
      'Please fill this in.',
      'Digits only, please.',
    ]);
    await field(panel, 'Model (required)').fill('389');
    await field(panel, 'Year (required)').fill('2015');
    await offers.check();
    await send.click();
    await thanks.waitFor();
    const lead = await findLead('trader@fleet.example');
    expect(lead).toMatchObject({
      intent: 'trade_in',
      details: { make: 'Peterbilt', model: '389', year: '2015' },
    });
    expect(lead.marketing.text).toContain('reply STOP');
    expect(lead.consent.text).toBe('By sending you ask the dealer to contact you about this.');
  });

  test('does the work that a suspicious address is asked for', async () => {
    const { widget, email, send, thanks } = await form();
    const challenge = { algorithm: 'SHA-256', token: 'a-token', difficulty: 8 };
    const details = { challenge };
    await answerWith(widget, stage, 'lead', { status: 429, json: envelope('RATE_LIMITED', details) }, 1);
    const proven = widget.page.waitForRequest(
      (request) => request.method() === 'POST' && (request.postData() ?? '').includes('"proof"'),
    );
    await email.fill('worker@fleet.example');
    await send.click();
    const { token, nonce } = JSON.parse((await proven).postData() ?? '').proof;
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${token}.${nonce}`));
    expect([token, new Uint8Array(hash)[0]]).toEqual(['a-token', 0]);
    await thanks.waitFor();
  });

  test('offline the enquiry is kept, the dealer’s phone is shown, and it is sent once there is a connection', async () => {
    const { widget, email, send, thanks } = await form();
    await email.fill('patient@fleet.example');
    await widget.page.context().setOffline(true);
    await send.click();
    await widget.panel.getByRole('heading', { name: /^Your enquiry is saved on this device/ }).waitFor();
    const call = widget.panel.locator('.sent').getByRole('link', { name: 'Call +1 214 555 0142' });
    expect(await call.getAttribute('href')).toBe('tel:+12145550142');
    await widget.page.context().setOffline(false);
    await thanks.waitFor();
    expect(await findLead('patient@fleet.example')).toBeDefined();
  });

  test('what one page could not send the next one sends, without a tap', async () => {
    const { widget, email, message, send } = await form();
    await email.fill('gone@fleet.example');
    await message.fill('Sent from the next page');
    await answerWith(widget, stage, 'lead', { status: 503, json: envelope('INTERNAL_ERROR') });
    await send.click();
    await widget.panel.getByRole('heading', { name: /^Your enquiry is saved/ }).waitFor();
    await widget.page.unrouteAll();
    await widget.page.reload();
    await expect
      .poll(() => findLead('gone@fleet.example'))
      .toMatchObject({ message: 'Sent from the next page' });
    await widget.open();
    await widget.panel.getByRole('heading', { name: /^Thank you/ }).waitFor();
  });

  test('a kept enquiry that is refused later stays kept, opens the form, and waits for what is being written', async () => {
    const { widget, phone, email, message, send, thanks } = await form();
    const { page, panel } = widget;
    const outage = () => answerWith(widget, stage, 'lead', { status: 503, json: envelope('INTERNAL_ERROR') });
    const flush = () => page.evaluate(() => dispatchEvent(new Event('online')));
    const kept = () => page.evaluate(() => localStorage.getItem('truck-widget:heartland-trucks:outbox'));
    await outage();
    for (const [at, text] of ['Kept first', 'Kept second'].entries()) {
      if (at > 0) {
        await press(panel, 'Back');
        await press(panel, 'Send another message');
      }
      await phone.fill('(555) 555-0100');
      await message.fill(text);
      await send.click();
      await panel.getByRole('heading', { name: /^Your enquiry is saved/ }).waitFor();
    }
    await press(panel, 'Back');
    await press(panel, 'Send another message');
    await message.fill('Being written');
    await page.unrouteAll();
    await flush();
    await expect.poll(kept).toMatch(/refused.*refused/);
    expect(await message.inputValue()).toBe('Being written');
    await message.fill('');
    await page.reload();
    await widget.button.click();
    for (const text of ['Kept first', 'Kept second']) {
      await expect.poll(() => message.inputValue()).toBe(text);
      expect(await phone.getAttribute('aria-invalid')).toBe('true');
      await email.fill('kept@fleet.example');
      await phone.fill('');
      await send.click();
      await thanks.waitFor();
      if (text === 'Kept first') await press(panel, 'Correct an enquiry that was not sent');
    }
    expect(await kept()).toBeNull();
    expect(await findLead('kept@fleet.example')).toMatchObject({
      message: 'Kept first',
      updates: [{ message: 'Kept second' }],
    });
  });

  test('a second truck is one tap more and is with the dealer, too; so is a third message', async () => {
    const { widget, email, message, send, thanks } = await form();
    await email.fill('fleet@fleet.example');
    await send.click();
    await thanks.waitFor();
    const { panel } = widget;
    await press(panel, 'Back');
    await panel.locator('.card').nth(1).click();
    await press(panel, 'Add this truck to your enquiry');
    await thanks.waitFor();
    await press(panel, 'Back');
    await press(panel, 'Send another message');
    await message.fill('Call me in the morning');
    await send.click();
    await thanks.waitFor();
    const { updates } = await findLead('fleet@fleet.example');
    expect(updates).toMatchObject([
      { message: 'I am also interested in this truck.', truck: { make: 'Freightliner' } },
      { message: 'Call me in the morning' },
    ]);
  });
});
