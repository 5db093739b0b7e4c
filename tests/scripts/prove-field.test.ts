import { afterAll, expect, test } from 'vitest';
import { endAll, run } from '../local/processes.ts';

afterAll(endAll);

test('one entry of the record table is all that a new field needs', { timeout: 300_000 }, async () => {
  const proof = run('scripts/prove-field/main.ts');
  const { code } = await proof.ended;
  expect(proof.output().match(/^ok /gm)?.length, proof.output()).toBeGreaterThan(8);
  expect(code, proof.output()).toBe(0);
});
