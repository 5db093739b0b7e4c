import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endAll, run } from '../local/processes.ts';
import { prepareDataDir } from '../support/processes/embedded.ts';

afterAll(endAll);

test('one entry of the record table is all that a new field needs', { timeout: 300_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'ctis-prove-field-'));
  onTestFinished(() => rm(data, { recursive: true }));
  await prepareDataDir(data);
  const proof = run('scripts/prove-field/main.ts', [data]);
  const { code } = await proof.ended;
  expect(proof.output().match(/^ok /gm)?.length, proof.output()).toBeGreaterThan(8);
  expect(code, proof.output()).toBe(0);
});
