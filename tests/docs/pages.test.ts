import { beforeAll, describe, expect, test } from 'vitest';
import { listWarnings } from '../../lib/contract/warnings.ts';
import { docUrl, ERRORS, type ErrorCode, REASONS } from '../../lib/errors.ts';
import { ROOT } from '../../scripts/docs/describe-service.ts';
import { llmsIndex, sitePages } from '../../scripts/docs/pages.ts';
import { record } from '../../scripts/docs/record.ts';

let pages: Map<string, string>;
beforeAll(async () => {
  pages = await sitePages(await record());
});

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');

test('every code has its page, where `doc_url` points', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const path = docUrl(code).replace('/docs/', '').replace('.html', '.md');
    expect(pages.get(path), code).toContain(ERRORS[code].fix);
  }
});

test('every warning is listed', () => {
  for (const { code } of listWarnings()) expect(pages.get('warnings.md')).toContain(`\`${code}\``);
});

test('every reason with a fix of its own is listed', () => {
  const limits = pages.get('limits.md');
  for (const [reason, fix] of Object.entries(REASONS))
    if (fix) expect(limits).toContain(`| \`${reason}\` | ${fix} |`);
});

test('llms.txt names every page', () => {
  expect(all(llmsIndex(pages), /\(\/docs\/([^)]+)\)/g).sort()).toEqual([...pages.keys()].sort());
});

describe('every page', () => {
  test('has its examples filled in', () => {
    for (const [path, text] of pages) expect(text, path).not.toContain('<!--');
  });

  test('links to headings that are there', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '');
    for (const [path, text] of pages)
      for (const link of all(text, /\]\(((?:[\w-]+\.md)?#[^)]+)\)/g)) {
        const [target, anchor] = link.split('#');
        const headings = all(pages.get(target || path) ?? '', /^##+ (.*)$/gm).map(slug);
        expect(headings, `${path}: ${link}`).toContain(anchor);
      }
  });

  test('shows placeholders for what differs from run to run, and no well-formed key', () => {
    for (const [path, text] of pages) {
      for (const id of all(text, /\b(req_[\w-]{20})/g)) expect(id, path).toBe('req_Vt3kq0ZbWmXy7cLpR2aN');
      expect(text, path).not.toMatch(/ctis_[sw]k_live_[0-9A-Za-z]{36}/);
      for (const time of all(text, /"(\d{4}-\d\d-\d\dT[^"]+)"/g))
        expect(time, path).toMatch(/^2026-01-15T(09|1\d):\d\d:00/);
      expect(text, path).not.toContain(ROOT);
    }
  });
});
