import { expect, it } from 'vitest';
import { background } from '../../lib/adapters/system/background.ts';
import { installWaitUntil } from '../../lib/local/platform/wait-until.ts';

it('work that goes on after an answer is waited for at the end, but not for ever', async () => {
  const pending = installWaitUntil();
  const after = background({ write: () => {} });
  const slow = Promise.withResolvers<void>();
  after.run(slow.promise);
  after.run(Promise.reject(new Error('failed work does not stop the end')));
  expect(await pending.settled(30)).toBe(false);
  slow.resolve();
  expect(await pending.settled(5_000)).toBe(true);
  pending.uninstall();
  after.run(slow.promise);
  expect(await pending.settled(0)).toBe(true);
});
