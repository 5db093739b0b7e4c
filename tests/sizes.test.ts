import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript-5';
import { expect, test } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

/**
 * Nodes of the syntax tree, which no layout changes: what each room may hold. A commit that raises one says why.
 */
const MAX_NODES: Readonly<Record<string, number>> = {
  lib: 230_000,
  'lib/accounts': 28_300,
  'lib/chat': 6_800,
  'lib/dashboard': 8_000,
  'lib/db': 4_300,
  'lib/feeds': 31_500,
  'lib/http': 14_300,
  'lib/images': 3_500,
  'lib/inventory': 15_800,
  'lib/issues': 2_800,
  'lib/jobs': 2_300,
  'lib/leads': 14_700,
  'lib/limiter': 1_100,
  'lib/local': 4_800,
  'lib/market': 12_200,
  'lib/outside': 11_600,
  'lib/pipeline': 11_200,
  'lib/search': 16_050,
  'lib/truck': 36_600,
  tests: 220_000,
  scripts: 42_000,
  widget: 20_500,
};

function countNodes(file: string): number {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  let nodes = 0;
  const visit = (node: ts.Node): void => {
    nodes += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, false, kind));
  return nodes;
}

test.each(Object.entries(MAX_NODES))('%s has at most %d nodes', (room, max) => {
  const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(0);
  expect(files.reduce((sum, file) => sum + countNodes(`${ROOT}/${file}`), 0)).toBeLessThanOrEqual(max);
});
