import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const SECURITY = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
const PROOF = /\]\((tests\/\S+?\.ts) "([^"]+)"\)/g;

/** Whether the file has a test of exactly this name. */
function hasTest(path: string, name: string): boolean {
  const file = new URL(path, ROOT);
  return (
    existsSync(file) && ["'", '`'].some((quote) => readFileSync(file, 'utf8').includes(quote + name + quote))
  );
}

test('every proof that SECURITY.md names is a test of that name', () => {
  const proofs = [...SECURITY.matchAll(PROOF)].map(([, path = '', name = '']) => ({ path, name }));
  expect(proofs.length).toBeGreaterThan(100);
  expect(proofs.filter(({ path, name }) => !hasTest(path, name))).toEqual([]);
});

test('every promise of its tables has a proof', () => {
  const promises = SECURITY.match(/^\| (?!---|.* cannot \|).*$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(60);
  for (const promise of promises) expect(promise).toMatch(/\.ts "[^"]+"\) \|$/);
});
