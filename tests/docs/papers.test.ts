import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const list = (...patterns: string[]) => globSync(patterns, { cwd: ROOT, exclude: ['node_modules'] });
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const PATHS = list('*', '{api,docs,drizzle,lib,public,scripts,tests,widget}/**');
const SOURCE = list('*.ts', '{drizzle,lib,scripts,tests,widget}/**/*.{ts,tsx}').map(read).join('\n');
const ENVIRONMENT = [...read('lib/env.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
  ([, name = '']) => name,
);

const PAPERS = list('*.md', 'docs/{operators,benchmarks}.md', 'docs/decisions/*.md', 'lib/**/README.md');

const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part = '']) => part);
/** A file or folder by the end of its path: sentences name what stands beside the one before it. */
const isPath = (end: string) => PATHS.some((path) => path === end || path.endsWith(`/${end}`));
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

test.each(PAPERS)('every path, command and variable that %s names exists', (paper) => {
  const text = read(paper);
  const spans = findAll(text, /`([^`\n]+)`/g);
  const paths = spans.filter(
    (span) =>
      /^[\w./-]+(?:\/|\.(?:ts|md|json|yaml|js))$/.test(span) ||
      /^(?:lib|tests|scripts|docs|drizzle)\/[\w./-]+$/.test(span),
  );
  const run = findAll(text, /\bnode (?:-\S+ )*((?:scripts|lib)\/\S+\.ts)/g);
  const isAbsent = (path: string) => !isPath(path.replace(/\/$/, ''));
  expect([...paths, ...run].filter(isAbsent)).toEqual([]);
  const scripts = findAll(text, /\bnpm run ([\w:-]+)/g);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const names = findAll(text, /(?<![\w-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w-])/g);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(SOURCE))).toEqual([]);
});

test.each(PAPERS)('every link of %s leads to a file and a heading that exist', (paper) => {
  const targets = findAll(read(paper), /\]\((?!https?:)([^)\s]+)/g);
  for (const target of targets) {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? paper : join(dirname(paper), path);
    expect(PATHS, target).toContain(file.replace(/\/$/, ''));
    if (anchor) expect(findAll(read(file), /^#+ (.+)$/gm).map(toAnchor), target).toContain(anchor);
  }
});

test('docs/operators.md names every variable of the environment', () => {
  const variables = ENVIRONMENT.filter((name) => !name.startsWith('VERCEL'));
  expect(variables.length).toBeGreaterThan(30);
  const operators = read('docs/operators.md');
  expect(variables.filter((name) => !operators.includes(`\`${name}\``))).toEqual([]);
});

test.each([
  ['README.md', 1_400],
  ['CONTRIBUTING.md', 900],
  ['docs/decisions/*.md', 6_500],
])('%s has at most %d words', (pattern, max) => {
  const words = list(pattern).flatMap((path) => read(path).trim().split(/\s+/));
  expect(words.length).toBeLessThanOrEqual(max);
});
