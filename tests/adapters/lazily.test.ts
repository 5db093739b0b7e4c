import { expect, test } from 'vitest';
import { lazily } from '../../lib/adapters/lazily.ts';
import { Unavailable } from '../../lib/ports/faults.ts';

test('a port whose adapter is not there is a part that does not answer', async () => {
  const gone = './gone.ts';
  const port = lazily<{ render(): Promise<void> }>(() => import(gone));
  await expect(port.render()).rejects.toThrow(Unavailable);
});
