import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript-5';
import { expect, test } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

/**
 * Nodes of the syntax tree, which no layout changes: what each room may hold. A commit that raises one says why.
 */
const MAX_NODES: Readonly<Record<string, number>> = {
  lib: 263_000,
  tests: 265_000,
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
