import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SECURITY = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');

test('every proof that SECURITY.md names is a suite, and every row of its tables names one', () => {
  const suites = [...SECURITY.matchAll(/`([\w-]+(?:\/[\w-]+)+)`/g)].map(([, name]) => name);
  expect(suites.length).toBeGreaterThan(50);
  const absent = suites.filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
  expect(absent).toEqual([]);
  for (const row of SECURITY.match(/^\| (?!---|.* cannot \|).*$/gm) ?? [])
    expect(row).toMatch(/\/[\w-]+` \|$/);
});
