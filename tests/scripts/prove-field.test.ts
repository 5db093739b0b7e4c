import { expect, test } from 'vitest';
import { runScript } from '../support/processes/run-script.ts';

test('one entry of the record table is all that a new field needs', { timeout: 300_000 }, async () => {
  const proof = await runScript(process.execPath, ['scripts/prove-field/main.ts'], {});
  expect(proof.match(/^ok /gm)?.length, proof).toBeGreaterThan(8);
});
