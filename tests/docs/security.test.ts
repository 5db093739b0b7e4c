import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript-5';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const SECURITY = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
const PROOF = /\]\((tests\/\S+?\.ts) "([^"]+)"\)/g;

/** Conditions that hold in CI, which has every program, and on the default store; the last two leave out single cases. */
const CONDITIONS =
  /\((?:!?(?:available\(\)|redisAvailable\(\)|withRedis)|STORE === 'postgres'|isAbsent|scopes\.length === 0)\)/;

const isAlwaysRun = (callee: string) =>
  !/\.(?:skip|todo|fails|only)\b/.test(callee) &&
  (!/\.(?:skip|run)If\b/.test(callee) || CONDITIONS.test(callee));

/** Whether the text has a test of exactly this name that is never skipped, nor any group around it. */
function hasTest(text: string, name: string): boolean {
  const source = ts.createSourceFile('', text, ts.ScriptTarget.ESNext);
  const find = (node: ts.Node): boolean => {
    if (ts.isCallExpression(node) && !isAlwaysRun(node.expression.getText(source))) return false;
    const isName = ts.isStringLiteral(node) || ts.isTemplateLiteral(node);
    return (isName && node.getText(source).slice(1, -1) === name) || (ts.forEachChild(node, find) ?? false);
  };
  return find(source);
}

test('every proof that SECURITY.md names is a test of that name, and none is skipped', () => {
  const proofs = [...SECURITY.matchAll(PROOF)].map(([, path = '', name = '']) => ({ path, name }));
  expect(proofs.length).toBeGreaterThan(100);
  const isProof = (path: string, name: string) => {
    const file = new URL(path, ROOT);
    return existsSync(file) && hasTest(readFileSync(file, 'utf8'), name);
  };
  expect(proofs.filter(({ path, name }) => !isProof(path, name))).toEqual([]);
});

test.each([
  ["test('a', run)", true],
  ["describe.skipIf(!available())('b', () => test.each([])('a', run))", true],
  ["test.skip('a', run)", false],
  ["test.runIf(STORE === 'citus')('a', run)", false],
])('planted: %s is proof: %s', (text, isProof) => {
  expect(hasTest(text, 'a')).toBe(isProof);
});

test('every promise of its tables has a proof', () => {
  const promises = SECURITY.match(/^\| (?!---|.* cannot \|).*$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(60);
  for (const promise of promises) expect(promise).toMatch(/\.ts "[^"]+"\) \|$/);
});
