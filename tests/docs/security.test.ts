import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const SECURITY = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
const PROOF = /\]\((tests\/\S+?\.ts) "([^"]+)"\)/g;
/** A file of proofs skips no test but under these conditions: CI, which has every program, and the default store skip none by them. */
const SKIPPED =
  /\.(?:skip|todo|fails)\b|\.(?:skip|run)If\((?!!?(?:available\(\)|redisAvailable\(\)|withRedis)\)|STORE === 'postgres'\)|isAbsent\)|scopes\.length === 0\)|process\.getuid)/;

const isProof = (text: string, name: string) =>
  !SKIPPED.test(text) && ["'", '`'].some((quote) => text.includes(quote + name + quote));

test('every proof that SECURITY.md names is a test of that name, and none is skipped', () => {
  const proofs = [...SECURITY.matchAll(PROOF)].map(([, path = '', name = '']) => ({ path, name }));
  expect(proofs.length).toBeGreaterThan(100);
  const isAbsent = ({ path, name }: { path: string; name: string }) => {
    const file = new URL(path, ROOT);
    return !existsSync(file) || !isProof(readFileSync(file, 'utf8'), name);
  };
  expect(proofs.filter(isAbsent)).toEqual([]);
  expect(isProof("test.runIf(STORE === 'postgres')('a')", 'a')).toBe(true);
  for (const planted of ["test.skip('a')", "test.runIf(STORE === 'citus')('a')", "test('b')"])
    expect(isProof(planted, 'a'), planted).toBe(false);
});

test('every promise of its tables has a proof', () => {
  const promises = SECURITY.match(/^\| (?!---|.* cannot \|).*$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(60);
  for (const promise of promises) expect(promise).toMatch(/\.ts "[^"]+"\) \|$/);
});
