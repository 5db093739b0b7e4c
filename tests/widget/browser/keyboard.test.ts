import { expect, test } from 'vitest';
import { describeOnStage, stage, visit } from './support/stage.ts';

/** Without a mouse. */
describeOnStage('by keyboard alone', () => {
  test('the focus is right in every state, from opening to closing', async () => {
    const { page, panel, focused } = await visit(stage);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused();
    };
    // Into the panel.
    expect(await press('Tab')).toBe('Find a truck');
    await press('Enter');
    await panel.locator('.card').first().waitFor();
    expect(await focused()).toBe('Heartland Trucks');
    // Through it.
    const header = ['Call +1 214 555 0142', 'Close', 'Trucks', 'Chat', 'Make, model or body'];
    for (const part of [...header, 'Sort', 'Body', 'Make', 'Price', 'Miles', 'Year'])
      expect(await press('Tab')).toBe(part);
    await press('Tab');
    const first = (await panel.locator('.card').first().textContent()) ?? '';
    expect(await press('Tab')).toBe(first);
    // To a truck and back to where one was.
    await press('Enter');
    await panel.locator('.body:focus h3').waitFor();
    await panel.getByRole('button', { name: 'Back' }).focus();
    expect(await press('Enter')).toBe(first);
    // To the chat: asking, and a way to go on.
    await panel.getByRole('button', { name: 'Chat' }).focus();
    await press('Enter');
    await expect.poll(focused).toBe('Message');
    await page.keyboard.type('Hello?');
    expect(await press('Enter')).toBe('Message');
    await panel.locator('.log[aria-busy=false] .said').nth(2).waitFor();
    await panel.locator('.hints button').first().focus();
    expect(await press('Enter')).toBe('Message');
    // To the form, with a fault, and to its end.
    await panel.getByRole('button', { name: 'Contact the dealer' }).focus();
    await press('Enter');
    await expect.poll(focused).toBe('name');
    expect(await press('Enter')).toBe('email');
    await page.keyboard.type('keys@fleet.example');
    await panel.getByRole('button', { name: 'Send' }).focus();
    await press('Enter');
    await expect.poll(focused).toBe('Thank you. The dealer will get back to you.');
    // Out of it.
    expect(await press('Escape')).toBe('Find a truck');
    expect(await panel.isVisible()).toBe(false);
  });
});
