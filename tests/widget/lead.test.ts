import { beforeAll, describe, expect, test } from 'vitest';
import { closeVisits, hasChromium } from './support/browser.ts';
import {
  answerWith,
  envelope,
  MIXER_VIN,
  type Stage,
  type Tag,
  useStage,
  visit,
  type Widget,
} from './support/stage.ts';

/** Leaving one's details. */
describe.skipIf(!hasChromium)('the form', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await useStage();
  });
  closeVisits();

  const parts = ({ panel }: Widget) => ({
    name: panel.getByRole('textbox', { name: 'Name' }),
    email: panel.getByRole('textbox', { name: 'Email' }),
    phone: panel.getByRole('textbox', { name: 'Phone' }),
    message: panel.getByRole('textbox', { name: 'Message' }),
    consent: panel.getByRole('checkbox'),
    send: panel.getByRole('button', { name: 'Send' }),
    thanks: panel.getByRole('heading', { name: 'Thank you. The dealer will get back to you.' }),
  });
  async function form(tag: Tag = {}) {
    const widget = await visit(stage, tag);
    await widget.open();
    await widget.panel.getByRole('button', { name: 'Contact the dealer' }).click();
    return { widget, ...parts(widget) };
  }
  const leadOf = async (email: string) => {
    const { leads } = await stage.call('GET', '/v1/leads');
    return leads.find((lead: { email: string | null }) => lead.email === email);
  };

  test('brings the lead to the dealer: who, about what, with the consent as it was read', async () => {
    const tag = {
      data: { consent: 'Yes, call me about trucks.', privacy: 'https://heartland.example/privacy' },
    };
    const { widget, name, email, phone, message, consent, send, thanks } = await form(tag);
    await widget.panel.getByRole('button', { name: 'Back' }).click();
    await widget.panel.getByRole('searchbox').fill('t880');
    await expect.poll(() => widget.panel.locator('.card').count()).toBe(1);
    await widget.panel.locator('.card').click();
    await widget.panel.getByRole('button', { name: 'Contact the dealer' }).click();
    expect(await widget.panel.locator('.subject').innerText()).toBe('2012 Kenworth T880');
    expect(await widget.panel.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe(
      'https://heartland.example/privacy',
    );
    await name.fill('Rosa Díaz');
    await email.fill('rosa@fleet.example');
    await phone.fill('(210) 555-0143');
    await message.fill('Does it have a booster axle?');
    await consent.check();
    await widget.page.evaluate("TruckWidget.on('lead', (told) => { window.told = told })");
    await send.click();
    await thanks.waitFor();
    expect(await widget.focused()).toBe('Thank you. The dealer will get back to you.');
    const lead = await leadOf('rosa@fleet.example');
    expect(lead).toMatchObject({ name: 'Rosa Díaz', phone: '+12105550143', vin: MIXER_VIN });
    expect(lead.message).toBe('Does it have a booster axle?');
    expect(JSON.stringify(lead)).toContain('Yes, call me about trucks.');
    expect(await widget.page.evaluate('told.leadId')).toBe(lead.id);
    // The way to the form is gone, what took its place says why, also after a reload.
    await widget.panel.getByRole('button', { name: 'Back' }).click();
    expect(await widget.panel.getByRole('button', { name: 'Contact the dealer' }).count()).toBe(0);
    await widget.page.reload();
    await widget.open();
    await widget.panel.getByText('Thank you. The dealer will get back to you.').waitFor();
    expect(widget.complaints).toEqual([]);
  });

  test('asks for what is missing, field by field, and moves to the first', async () => {
    const { widget, email, phone, consent, send } = await form();
    await send.click();
    expect(await widget.focused()).toBe('email');
    const why = async (field: typeof email) => {
      const id = await field.getAttribute('aria-describedby');
      return widget.panel.locator(`[id="${id}"]`).innerText();
    };
    expect(await why(email)).toBe('Email or phone, whichever you prefer.');
    expect(await why(consent)).toBe('Please check this.');
    await phone.fill('12');
    await consent.check();
    await send.click();
    expect(await widget.focused()).toBe('phone');
    expect(await email.getAttribute('aria-invalid')).toBe('false');
    expect(await why(phone)).toBe('Please check this.');
  });

  test('shows at the field what the service refuses', async () => {
    const { widget, phone, consent, send } = await form();
    await phone.fill('+1 000 000 0000');
    await consent.check();
    await send.click();
    await expect.poll(() => phone.getAttribute('aria-invalid')).toBe('true');
    expect(await widget.focused()).toBe('phone');
  });

  test('a lead that is there already is as good as a new one', async () => {
    const { widget, email, consent, send, thanks } = await form();
    await answerWith(widget, stage, 'lead', { status: 409, json: envelope('ALREADY_CAPTURED') });
    await email.fill('again@fleet.example');
    await consent.check();
    await send.click();
    await thanks.waitFor();
  });

  test('does the work that a suspicious address is asked for', async () => {
    const { widget, email, consent, send, thanks } = await form();
    const challenge = { algorithm: 'SHA-256', token: 'a-token', difficulty: 8 };
    const details = { challenge };
    await answerWith(widget, stage, 'lead', { status: 429, json: envelope('RATE_LIMITED', details) }, 1);
    const proven = widget.page.waitForRequest(
      (request) => request.method() === 'POST' && (request.postData() ?? '').includes('"proof"'),
    );
    await email.fill('worker@fleet.example');
    await consent.check();
    await send.click();
    const { token, nonce } = JSON.parse((await proven).postData() ?? '').proof;
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${token}.${nonce}`));
    expect([token, new Uint8Array(hash)[0]]).toEqual(['a-token', 0]);
    await thanks.waitFor();
  });

  test('keeps what was typed when it cannot be sent, and sends it once it can', async () => {
    const { widget, email, consent, send, thanks } = await form();
    await email.fill('patient@fleet.example');
    await consent.check();
    await widget.page.context().setOffline(true);
    await send.click();
    const alert = widget.panel.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('No connection.');
    await widget.panel.getByRole('button', { name: 'Back' }).click();
    await widget.panel.getByRole('button', { name: 'Contact the dealer' }).click();
    expect(await email.inputValue()).toBe('patient@fleet.example');
    await widget.page.context().setOffline(false);
    await send.click();
    await thanks.waitFor();
    expect(await leadOf('patient@fleet.example')).toBeDefined();
  });

  test('two presses send one lead', async () => {
    const { widget, email, consent, send, thanks } = await form();
    let posts = 0;
    widget.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/lead')) posts += 1;
    });
    await email.fill('double@fleet.example');
    await consent.check();
    await send.dblclick();
    await thanks.waitFor();
    expect(posts).toBe(1);
  });

  test('has a trap that no visitor can reach', async () => {
    const { widget } = await form();
    const trap = widget.panel.locator('[name=company]');
    expect(await trap.evaluate((field: HTMLInputElement) => field.inert)).toBe(true);
    const { width, height } = (await trap.boundingBox()) ?? { width: 0, height: 0 };
    expect(width * height).toBeLessThanOrEqual(4);
  });
});
