import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPlatform } from '../../lib/local/platform/platform.ts';
import { buildWidget } from '../../scripts/build-widget.ts';
import { ROOT } from './support/stage.ts';

/** kB that a visitor may have to load, gzipped: the launcher, and all of it. */
const LAUNCHER = 1_600;
const TOGETHER = 12_000;

describe('the built widget', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await buildWidget(ROOT);
  });

  test('is committed as the source makes it; after a change, run node scripts/build-widget.ts', () => {
    for (const [path, text] of files)
      expect(readFileSync(join(ROOT, path), 'utf8') === text, path).toBe(true);
  });

  test('weighs no more than it may', () => {
    const sizes = [...files.values()].map((text) => gzipSync(text, { level: 9 }).length);
    expect(sizes[0]).toBeLessThanOrEqual(LAUNCHER);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(TOGETHER);
  });

  test('is type-checked as what runs in a browser', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'widget'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    expect(status, stdout).toBe(0);
  });

  test('writes no markup and evaluates no text', () => {
    for (const [path, text] of files)
      expect(text, path).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|document\.cookie/,
      );
  });

  test('is served to any origin: the launcher for minutes, a named panel for good, whichever version asks', async () => {
    const platform = await createPlatform({ root: ROOT });
    const get = (path: string) =>
      platform.fetch(new Request(`http://trucks.test${path}`), { ip: '203.0.113.7' });
    const launcher = await get('/widget.js');
    expect(launcher.status).toBe(200);
    expect(launcher.headers.get('cache-control')).toBe('public, max-age=300');
    const named = /widget-panel\.[0-9a-f]{12}\.js/.exec(await launcher.text())?.[0] ?? '';
    for (const path of [`/${named}`, '/widget-panel.0123456789ab.js']) {
      const panel = await get(path);
      expect(panel.status).toBe(200);
      expect(panel.headers.get('content-type')).toContain('javascript');
      expect(panel.headers.get('access-control-allow-origin')).toBe('*');
      expect(panel.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await panel.text()).toBe(files.get('public/widget-panel.js'));
    }
  });
});
