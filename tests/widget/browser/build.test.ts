import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildWidget } from '../../../scripts/build-widget.ts';
import { LANGUAGES } from '../../../widget/options.ts';
import { ROOT } from './support/stage.ts';

/** Bytes that a visitor loads, gzipped: the launcher, and all until the first trucks. */
const MAX_LAUNCHER = 1_700;
const MAX_FIRST_OPEN = 14_336;

describe('the built widget', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await buildWidget(ROOT);
  });

  test('is committed as the source makes it; after a change, run node scripts/build-widget.ts', () => {
    for (const [path, text] of files)
      expect(readFileSync(join(ROOT, path), 'utf8') === text, path).toBe(true);
  });

  test('stays within its size', () => {
    const size = (name: string) => gzipSync(files.get(`public/${name}.js`) ?? '', { level: 9 }).length;
    expect(size('widget')).toBeLessThanOrEqual(MAX_LAUNCHER);
    for (const language of LANGUAGES)
      expect(size('widget') + size('widget-page') + size(`widget-panel-${language}`)).toBeLessThanOrEqual(
        MAX_FIRST_OPEN,
      );
  });

  test('writes no markup and evaluates no text', () => {
    for (const [path, text] of files)
      expect(text, path).not.toMatch(
        /outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|document\.cookie/,
      );
    // Preact writes markup for `dangerouslySetInnerHTML` only, which nothing here uses.
    for (const file of readdirSync(join(ROOT, 'widget'), { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file))
        expect(readFileSync(join(ROOT, 'widget', file), 'utf8'), file).not.toMatch(/innerHTML/i);
  });
});
