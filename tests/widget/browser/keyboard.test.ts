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
    expect(await press('Tab')).toBe('Call +1 214 555 0142');
    expect(await press('Tab')).toBe('Close');
    expect(await press('Tab')).toBe('Trucks');
    expect(await press('Tab')).toBe('Chat');
    expect(await press('Tab')).toBe('Make, model or body');
    for (const way of ['Sort', 'Body', 'Make', 'Price', 'Miles', 'Year'])
      expect(await press('Tab')).toBe(way);
    await press('Tab');
    const first = (await panel.locator('.card').first().textContent()) ?? '';
    expect(await press('Tab')).toBe(first);
    // To a truck and back to where one was.
    await press('Enter');
    await panel.getByRole('heading', { level: 3 }).waitFor();
    expect(await panel.locator('.body:focus').count()).toBe(1);
    await panel.getByRole('button', { name: 'Back' }).focus();
    expect(await press('Enter')).toBe(first);
    expect(await panel.locator('.card:focus').count()).toBe(1);
    // To the chat: asking, and a way to go on.
    await panel.getByRole('button', { name: 'Chat' }).focus();
    await press('Enter');
    await expect.poll(focused).toBe('Message');
    await page.keyboard.type('Hello?');
    expect(await press('Enter')).toBe('Message');
    await panel
      .locator('.log[aria-busy=false] p', { hasText: /welcome|Happy|Any time/ })
      .first()
      .waitFor();
    await panel.locator('.hints button').first().focus();
    expect(await press('Enter')).toBe('Message');
    await panel.locator('.log[aria-busy=false]').waitFor();
    // To the form, with a fault, and to its end.
    await panel.getByRole('button', { name: 'Contact the dealer' }).focus();
    await press('Enter');
    await expect.poll(focused).toBe('name');
    expect(await press('Enter')).toBe('email');
    await page.keyboard.type('keys@fleet.example');
    await panel.getByRole('button', { name: 'Send' }).focus();
    await press('Enter');
    await panel.getByRole('heading', { name: 'Thank you.' }).waitFor();
    expect(await focused()).toBe('Thank you. The dealer will get back to you.');
    // Out of it.
    expect(await press('Escape')).toBe('Find a truck');
    expect(await panel.isVisible()).toBe(false);
    expect(await press('Enter')).toBe('Heartland Trucks');
  });
});
