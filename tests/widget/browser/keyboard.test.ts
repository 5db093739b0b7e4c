import { expect, test } from 'vitest';
import { describeOnStage, stage, visit } from './support/stage.ts';

/** Without a mouse. */
describeOnStage('by keyboard alone', () => {
  test('the focus is right in every state, from opening to closing', async () => {
    const { page, panel, focused } = await visit(stage);
    const press = (key: string) => page.keyboard.press(key);
    const isOn = (name: string) => expect.poll(focused).toBe(name);
    const pressTo = async (key: string, name: string) => {
      await press(key);
      await isOn(name);
    };
    // Into the panel.
    await pressTo('Tab', 'Find a truck');
    await press('Enter');
    await panel.locator('.card').first().waitFor();
    await isOn('Heartland Trucks');
    // Through it.
    const header = ['Call +1 214 555 0142', 'Close', 'Trucks', 'Chat', 'Make, model or body'];
    for (const part of [...header, 'Sort', 'Body', 'Make', 'Price', 'Miles', 'Year'])
      await pressTo('Tab', part);
    await press('Tab');
    const first = (await panel.locator('.card').first().textContent()) ?? '';
    await pressTo('Tab', first);
    // To a truck and back to where one was.
    await press('Enter');
    await panel.locator('.body:focus h3').waitFor();
    await panel.getByRole('button', { name: 'Back' }).focus();
    await pressTo('Enter', first);
    // To the chat: asking, and a way to go on.
    await panel.getByRole('button', { name: 'Chat' }).focus();
    await pressTo('Enter', 'Message');
    await page.keyboard.type('Hello?');
    await pressTo('Enter', 'Message');
    await panel.locator('.log[aria-busy=false] .said').nth(2).waitFor();
    await panel.locator('.hints button').first().focus();
    await pressTo('Enter', 'Message');
    // To the form, with a fault, and to its end.
    await panel.getByRole('button', { name: 'Contact the dealer' }).focus();
    await pressTo('Enter', 'name');
    await pressTo('Enter', 'email');
    await page.keyboard.type('keys@fleet.example');
    await panel.getByRole('button', { name: 'Send' }).focus();
    await pressTo('Enter', 'Thank you. The dealer will get back to you.');
    // Out of it.
    await pressTo('Escape', 'Find a truck');
    expect(await panel.isVisible()).toBe(false);
  });
});
