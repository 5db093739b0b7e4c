import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript-5';
import { expect, test } from 'vitest';
import { toList } from '../lib/truck/text/table.ts';

/** The field's words (docs/glossary.md): what not to write in names, comments and messages, and what instead. */

const NO_VERB = [
  /\b(?!indexOf|lastIndexOf|valueOf|findIndexOf|isPrototypeOf|getPrototypeOf|setPrototypeOf|toBeInstanceOf)[a-z]\w*Of\(/,
  'a verb phrase',
] as const;
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|toldTo)\b/i, 'returned, reported, shown: what it is'],
  [/\btell\(/, 'report'],
  [/AT_ONCE|\batOnce\b/, 'max…, concurrency'],
  [/\bfates?\b/i, 'outcome'],
  [/\bpatience/i, 'timeout, deadline'],
  [/\b(?:bark|vigil)\b/, 'abort, watchdog'],
  [/\bsomebody\b/, 'another account, another worker, a person'],
  [/\.normalize\('/, 'toNormalForm (lib/truck/text): without a bound it is quadratic'],
  [/\bholders?\b/i, 'worker, owner'],
  [/\bbe had\b/, 'could not be fetched, acquired'],
  [/\bunfold/i, 'expand'],
  [/\bshel(?:f|ves)\b/, 'the field’s word'],
  [/\bHoldTimeout\b/, 'LockTimeout'],
  NO_VERB,
  [/\.\.\.(?:\[[^[\]]*\]|\{[^{}]*\})\s*[,\])}]/, 'its members, without the spread'],
];
/** Sentences of visitors and models, which are data. */
const DATA = /^docs\/glossary\.md/;

function findPrivateWords(file: string, text: string, words = INSTEAD): string[] {
  return text
    .split('\n')
    .flatMap((line, at) =>
      words.flatMap(([pattern, instead]) =>
        pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()} → ${instead}`] : [],
      ),
    );
}

test('names, comments, messages and docs use the field’s words', () => {
  const files = [
    ...globSync('{api,lib,drizzle,widget,scripts}/**/*.{ts,tsx}'),
    ...globSync('{*,docs/*,docs/decisions/*}.md'),
  ].filter((file) => !DATA.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => findPrivateWords(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('functions of tests are named by verbs, too', () => {
  const files = globSync('tests/**/*.ts').filter((file) => file !== 'tests/words.test.ts');
  expect(files.flatMap((file) => findPrivateWords(file, readFileSync(file, 'utf8'), [NO_VERB]))).toEqual([]);
});

/** Words that are no nouns, or mean too much, to name a value or a function by. */
const NO_NAMES = new Set(
  toList(`
    found, known, shown, named, sent, kept, told, asked, wanted, seen, made, given, said, gone, taken, heard, judged, meant,
    whole, lot, lots, mine, theirs, ours, refused, turn, turns, way, ways, thing
  `),
);
const ROOMS = ['{api,lib,tests}/**/*.ts', '{scripts,widget}/**/*.{ts,tsx}'];

function findBadNames(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node);
    const name = isDeclaration ? node.name?.getText() : undefined;
    if (name !== undefined && NO_NAMES.has(name)) names.push(`${file}: ${name}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

test('values are named by what they are, functions by what they do', () => {
  const files = globSync(ROOMS);
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => findBadNames(file, readFileSync(file, 'utf8')))).toEqual([]);
  expect(findBadNames('x.ts', 'const found = ({ kept }) => kept; function sent() {}')).toHaveLength(3);
});

test('planted fault: a private word is found', () => {
  expect(findPrivateWords('lib/x.ts', 'const told = priceOf(truck);')).toHaveLength(2);
  expect(findPrivateWords('lib/x.ts', '  ...[first, second],')).toHaveLength(1);
});
