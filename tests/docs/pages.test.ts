import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { docUrl, ERRORS, type ErrorCode } from '../../lib/errors.ts';
import { generateSite, ROOT } from '../../scripts/docs/generate.ts';

let files: Map<string, string>;
let pages: [path: string, html: string][];
beforeAll(async () => {
  files = await generateSite();
  pages = [...files].filter(([path]) => path.endsWith('.html'));
});

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');

test('every code has its page, where `doc_url` points', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    expect(files.has(docUrl(code).slice('/docs/'.length))).toBe(true);
});

describe('every page', () => {
  test('has landmarks, a language, a title, a way past the navigation, and one first heading', () => {
    for (const [path, html] of pages) {
      expect(html, path).toMatch(/^<!doctype html>\n<html lang="en">/);
      for (const part of [
        '<title>',
        '<header class="site">',
        '<main id="main"',
        '<footer',
        'href="#main"',
        'name="viewport"',
      ])
        expect(html, `${path}: ${part}`).toContain(part);
      for (const nav of all(html, /<nav([^>]*)>/g)) expect(nav, path).toContain('aria-label=');
      expect(all(html, /<(h1)[ >]/g), path).toHaveLength(1);
    }
  });

  test('has headings that leave no level out, and ids that are unique', () => {
    for (const [path, html] of pages) {
      const levels = all(html, /<h([1-6])[ >]/g).map(Number);
      levels.forEach((level, at) => {
        expect(level, `${path}, heading ${at}`).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
      });
      const ids = all(html, / id="([^"]+)"/g);
      expect(new Set(ids).size, path).toBe(ids.length);
    }
  });

  test('asks nobody else for anything, and carries no inline script or style', () => {
    for (const [path, html] of pages) {
      for (const source of all(html, /(?:src|<link[^>]* href)="([^"]+)"/g))
        expect(source, path).toMatch(
          /^(\/docs\/(style\.css|copy\.js|try-widget\.js|widget-preview\.html)|data:,)$/,
        );
      expect(html, path).not.toMatch(/<script>|<style| style="| on\w+="/);
    }
  });

  test('links only to what is there', () => {
    const texts = new Map(pages.map(([path, html]) => [`/docs/${path}`, html]));
    for (const [path, html] of pages) {
      for (const href of all(html, /<a[^>]* href="([^"]+)"/g)) {
        const url = new URL(href.replaceAll('&amp;', '&'), `http://docs.test/docs/${path}`);
        expect(url.host, `${path}: ${href}`).toBe('docs.test');
        if (url.pathname === '/api/health') continue;
        const file = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
        expect(texts.has(file) || existsSync(join(ROOT, 'public', file)), `${path}: ${href}`).toBe(true);
        if (url.hash) expect(texts.get(file), `${path}: ${href}`).toContain(` id="${url.hash.slice(1)}"`);
      }
    }
  });

  test('shows placeholders for what differs from run to run, and no well-formed key', () => {
    for (const [path, text] of files) {
      for (const id of all(text, /\b(req_[\w-]{20})/g)) expect(id, path).toBe('req_Vt3kq0ZbWmXy7cLpR2aN');
      expect(text, path).not.toMatch(/ctis_[sw]k_live_[0-9A-Za-z]{36}/);
      for (const time of all(text, /"(\d{4}-\d\d-\d\dT[^"]+)"/g))
        expect(time, path).toMatch(/^2026-01-15T(09|1\d):\d\d:00/);
      expect(text, path).not.toContain(ROOT);
    }
  });
});

describe('colours', () => {
  const css = readFileSync(join(ROOT, 'scripts/docs/static/style.css'), 'utf8');
  const schemes = all(css, /:root \{([^}]*)\}/g).map(
    (block) =>
      new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value])),
  );

  /** Relative luminance and contrast of WCAG 2.2. */
  function luminance(hex: string): number {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(one: string, other: string): number {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  const pairs = [
    ...['ink', 'soft', 'accent', 'ok', 'same', 'caller', 'server'].flatMap((text) => [
      [text, 'paper'],
      [text, 'raised'],
    ]),
    ...['key', 'string', 'number', 'word'].map((text) => [text, 'raised']),
    ['shell-ink', 'shell'],
    ['shell-soft', 'shell'],
    ['accent', 'accent-wash'],
    ['ink', 'accent-wash'],
  ] as [string, string][];

  test.each(pairs)('%s on %s can be read, in light and dark', (text, ground) => {
    expect(schemes).toHaveLength(2);
    for (const scheme of schemes)
      expect(contrast(scheme.get(text) ?? '#000000', scheme.get(ground) ?? '#000000')).toBeGreaterThanOrEqual(
        4.5,
      );
  });
});
