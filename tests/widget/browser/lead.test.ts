import { expect, test } from 'vitest';
import { field, press } from './support/browser.ts';
import { answerWith, describeOnStage, envelope, MIXER_VIN, stage, type Tag, visit } from './support/stage.ts';

/** Leaving one's details. */
describeOnStage('the form', () => {
  async function form(tag: Tag = {}) {
    const widget = await visit(stage, tag);
    const { panel } = widget;
    await widget.open();
    await press(panel, 'Contact the dealer');
    const thanks = panel.getByRole('heading', { name: 'Thank you. The dealer will get back to you.' });
    return {
      ...widget,
      widget,
      name: field(panel, 'Name'),
      email: field(panel, 'Email'),
      phone: field(panel, 'Phone'),
      message: field(panel, 'Message'),
      thanks,
      send: () => press(panel, 'Send'),
      async sendWell() {
        await press(panel, 'Send');
        await thanks.waitFor();
      },
      /** Sends what the service is not there for. */
      async sendInOutage() {
        await answerWith(widget, stage, 'lead', { status: 503, json: envelope('INTERNAL_ERROR') });
        await press(panel, 'Send');
        await panel.getByRole('heading', { name: /^Your enquiry is saved/ }).waitFor();
      },
    };
  }
  const findLead = async (email: string) => {
    const { leads } = await stage.call('GET', '/v1/leads');
    return leads.find((lead: { email: string | null }) => lead.email === email);
  };

  test.each([
    ['consent', { consent: 'I agree to calls and texts. '.repeat(80) }, { vin: null }],
    ['vin', { vin: `<?php echo get_post_meta(get_the_ID(), 'vin', true); ?>` }, {}],
  ])('sends what a visitor wrote whatever the tag says: %s', async (name, data, expected) => {
    const { email, sendWell } = await form({ data });
    await email.fill(`${name}@tag.example`);
    await sendWell();
    expect(await findLead(`${name}@tag.example`)).toMatchObject(expected);
  });

  test.each([
    ['/privacy', [expect.stringMatching(/\/privacy$/)]],
    [' java\nscript:alert(1)', []],
  ])('links a privacy notice on the web only: %j', async (privacy, links) => {
    const { panel, email } = await form({ data: { privacy } });
    await email.waitFor();
    const link = panel.getByRole('link', { name: 'Privacy' });
    expect(await link.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(links);
  });

  test('brings the lead to the dealer: who, about what, with the consent as it was read', async () => {
    const tag = { data: { consent: 'Yes, call me about trucks.' } };
    const { widget, page, panel, name, email, phone, message, sendWell } = await form(tag);
    await press(panel, 'Back');
    await panel.locator('.card', { hasText: 'T880' }).click();
    await press(panel, 'Contact the dealer');
    await widget.isAbout('2012 Kenworth T880');
    await name.fill('Rosa Díaz');
    await email.fill('rosa@fleet.example');
    await phone.fill('(210) 555-0143');
    await message.fill('Does it have a booster axle?');
    await page.evaluate("TruckWidget.on('lead', (told) => { window.told = told })");
    await sendWell();
    const lead = await findLead('rosa@fleet.example');
    expect(lead).toMatchObject({
      name: 'Rosa Díaz',
      phone: '+12105550143',
      vin: MIXER_VIN,
      message: 'Does it have a booster axle?',
      consent: { text: tag.data.consent },
    });
    expect(await page.evaluate('told.leadId')).toBe(lead.id);
    expect(widget.complaints).toEqual([]);
  });

  test('asks by intent what the dealer needs, field by field, and offers text messages in a box of their own', async () => {
    const { widget, panel, email, phone, send, sendWell } = await form();
    await email.fill('trader@fleet.example');
    expect(await panel.getByRole('checkbox').count()).toBe(0);
    await phone.fill('(210) 555-0177');
    const offers = panel.getByRole('checkbox', { name: /Text me offers/ });
    expect(await offers.isChecked()).toBe(false);
    await panel.getByRole('combobox', { name: 'What is it about?' }).selectOption('trade_in');
    await field(panel, 'Make (required)').fill('Peterbilt');
    await field(panel, 'Year (required)').fill('old');
    await send();
    await expect.poll(widget.focused).toBe('details.model');
    const faults = ['Please fill this in.', 'Digits only, please.'];
    expect(await panel.locator('.wrong').allInnerTexts()).toEqual(faults);
    const faultId = await field(panel, 'Year (required)').getAttribute('aria-describedby');
    expect(await panel.locator(`[id="${faultId}"]`).innerText()).toBe(faults[1]);
    await field(panel, 'Model (required)').fill('389');
    await field(panel, 'Year (required)').fill('2015');
    await offers.check();
    await sendWell();
    expect(await findLead('trader@fleet.example')).toMatchObject({
      intent: 'trade_in',
      details: { make: 'Peterbilt', model: '389', year: '2015' },
      marketing: { text: expect.stringContaining('reply STOP') },
      consent: { text: 'By sending you ask the dealer to contact you about this.' },
    });
  });

  test('solves the puzzle that a suspicious address gets', async () => {
    const { widget, page, email, send, thanks } = await form();
    const challenge = { algorithm: 'SHA-256', token: 'a-token', difficulty: 8 };
    const refusal = { status: 429, json: envelope('RATE_LIMITED', { challenge }) };
    await answerWith(widget, stage, 'lead', refusal, 1);
    const proven = page.waitForRequest((request) => `${request.postData()}`.includes('"proof"'));
    await email.fill('worker@fleet.example');
    await send();
    const { token, nonce } = JSON.parse((await proven).postData() ?? '').proof;
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${token}.${nonce}`));
    expect([token, new Uint8Array(hash)[0]]).toEqual(['a-token', 0]);
    await thanks.waitFor();
  });

  test('offline the enquiry is kept, the dealer’s phone is shown, and it is sent once there is a connection', async () => {
    const { page, panel, email, send, thanks } = await form();
    await email.fill('patient@fleet.example');
    await page.context().setOffline(true);
    await send();
    await panel.getByRole('heading', { name: /^Your enquiry is saved on this device/ }).waitFor();
    const call = panel.locator('.sent').getByRole('link', { name: 'Call +1 214 555 0142' });
    expect(await call.getAttribute('href')).toBe('tel:+12145550142');
    await page.context().setOffline(false);
    await thanks.waitFor();
    expect(await findLead('patient@fleet.example')).toBeDefined();
  });

  test('what one page could not send the next one sends, without a tap', async () => {
    const { widget, page, email, message, sendInOutage, thanks } = await form();
    await email.fill('gone@fleet.example');
    await message.fill('Sent from the next page');
    await sendInOutage();
    await page.unrouteAll();
    await page.reload();
    const enquiry = { message: 'Sent from the next page' };
    await expect.poll(() => findLead('gone@fleet.example')).toMatchObject(enquiry);
    await widget.open();
    await thanks.waitFor();
  });

  test('a kept enquiry that is refused later stays kept, opens the form, and waits for what is being written', async () => {
    const { widget, page, panel, phone, email, message, sendInOutage, sendWell } = await form();
    const readOutbox = () =>
      page.evaluate(() => localStorage.getItem('truck-widget:heartland-trucks:outbox'));
    const texts = ['Kept first', 'Kept second'];
    for (const text of texts) {
      await phone.fill('(555) 555-0100');
      await message.fill(text);
      await sendInOutage();
      await press(panel, 'Back');
      await press(panel, 'Send another message');
    }
    await message.fill('Being written');
    await page.unrouteAll();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(readOutbox).toMatch(/refused.*refused/);
    expect(await message.inputValue()).toBe('Being written');
    await message.fill('');
    await page.reload();
    await widget.button.click();
    for (const text of texts) {
      await expect.poll(() => message.inputValue()).toBe(text);
      expect(await phone.getAttribute('aria-invalid')).toBe('true');
      await email.fill('kept@fleet.example');
      await phone.fill('');
      await sendWell();
      if (text === texts[0]) await press(panel, 'Correct an enquiry that was not sent');
    }
    expect(await readOutbox()).toBeNull();
    const [first, second] = texts;
    expect(await findLead('kept@fleet.example')).toMatchObject({
      message: first,
      updates: [{ message: second }],
    });
  });

  test('a second truck is one tap more and is with the dealer, too', async () => {
    const { panel, email, sendWell, thanks } = await form();
    await email.fill('fleet@fleet.example');
    await sendWell();
    await press(panel, 'Back');
    await panel.locator('.card').nth(1).click();
    await press(panel, 'Add this truck to your enquiry');
    await thanks.waitFor();
    const { updates } = await findLead('fleet@fleet.example');
    expect(updates).toMatchObject([
      { message: 'I am also interested in this truck.', truck: { make: 'Freightliner' } },
    ]);
  });
});
