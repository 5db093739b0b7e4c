import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'acorn';
import { check } from 'recheck';
import { BOUNDED } from './bounded.ts';

/**
 * Part of `npm run check`: no regular expression literal of lib may take more than linear time, unless `bounded.ts`
 * says what bounds its input. `proven.txt` holds what recheck has found linear, so that only new patterns cost time.
 */

const ROOT = new URL('../../', import.meta.url);
const PROVEN = new URL('proven.txt', import.meta.url);
const TIMEOUT_MS = 20_000;

interface Pattern {
  file: string;
  line: number;
  source: string;
  flags: string;
}

function patternsIn(file: string): Pattern[] {
  const patterns: Pattern[] = [];
  const code = stripTypeScriptTypes(readFileSync(new URL(file, ROOT), 'utf8'));
  parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken: (token) => {
      const { loc } = token;
      const { pattern, flags }: { pattern?: string; flags?: string } = Object(Reflect.get(token, 'value'));
      if (pattern !== undefined)
        patterns.push({ file, line: loc?.start.line ?? 0, source: pattern, flags: flags ?? '' });
    },
  });
  return patterns;
}

const isBounded = ({ file, source }: Pattern): boolean =>
  BOUNDED.some((each) => file.startsWith(each.path) && (each.source === null || each.source === source));

const proven = new Set(readFileSync(PROVEN, 'utf8').split('\n'));
const literal = ({ source, flags }: Pattern): string => `/${source}/${flags}`;
const patterns = globSync('lib/**/*.ts', { cwd: ROOT })
  .sort()
  .flatMap(patternsIn)
  .filter((pattern) => !isBounded(pattern) && /[*+]|,\}/.test(pattern.source));
let faults = 0;
for (const pattern of patterns) {
  if (proven.has(literal(pattern))) continue;
  const verdict = await check(pattern.source, pattern.flags, { timeout: TIMEOUT_MS });
  proven.add(literal(pattern));
  if (verdict.status === 'safe') {
    console.log(`linear, add it to scripts/check-patterns/proven.txt: ${literal(pattern)}`);
    continue;
  }
  faults += 1;
  const reason = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'not proven linear';
  console.error(`${pattern.file}:${pattern.line}: ${reason}: ${literal(pattern)}`);
}
if (faults > 0) process.exitCode = 1;
