import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { docUrl, ERRORS, type ErrorCode, REASON_MEANINGS, REASONS } from '../../lib/errors.ts';
import { TEST_VINS } from '../../lib/inventory/test-faults.ts';
import { ROOT } from '../../scripts/docs/deployment.ts';
import { llmsIndex, plainPages, sitePages } from '../../scripts/docs/pages/pages.ts';
import { RECORDING, serializeRecording } from '../../scripts/docs/recording.ts';
import { useRecording } from '../support/service/recording.ts';

const recording = await useRecording();
const pages = await sitePages(recording);

test('docs/recording.json is what the service answers; after a change, run npm run docs', () => {
  expect(readFileSync(RECORDING, 'utf8')).toBe(serializeRecording(recording));
});

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part]) => part ?? '');

test('every code has its page, where `doc_url` points', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const path = docUrl(code).replace('/docs/', '').replace('.html', '.md');
    expect(pages.get(path), code).toContain(ERRORS[code].fix);
  }
});

test('the page of a code names the VIN that causes it on a test account', () => {
  for (const [vin, code] of Object.entries(TEST_VINS))
    expect(pages.get(`errors/${code}.md`)).toContain(`the VIN \`${vin}\``);
});

test('every reason is listed, with its fix or its meaning', () => {
  const limits = pages.get('limits.md');
  for (const [reason, text] of Object.entries({ ...REASONS, ...REASON_MEANINGS }))
    expect(limits).toContain(`| \`${reason}\` | ${text} |`);
});

test('llms.txt names every page', () => {
  expect(all(llmsIndex(pages), /\(\/docs\/([^)]+)\)/g).sort()).toEqual([...pages.keys()].sort());
});

test('pages for sellers name no setting of whoever runs the service, and no file of the repository', () => {
  for (const [path, text] of pages) {
    if (path === 'changelog.md') continue;
    const match =
      /\b(?:FEED_SECRET_KEY|SMTP_URL|AI_BASE_URL|CRON_SECRET|ADMIN_TOKEN|DATA_DIR|FAIR_USE|npm run|tests\/)/.exec(
        text,
      );
    expect(match?.[0], path).toBeUndefined();
  }
});

test('plain Markdown shows each call once, programs in each language, and the service’s address', () => {
  const plain = plainPages(pages, 'https://trucks.example');
  for (const [path, text] of plain) {
    expect(text.length, path).toBeGreaterThan(100);
    for (const trace of ['[curl]', '<try-widget', 'request = urllib.request.Request(', 'api.example.com'])
      expect(text, path).not.toContain(trace);
  }
  for (const language of ['js', 'python', 'csharp', 'php'])
    expect(plain.get('leads.md')).toContain(`\`\`\`${language}\n`);
  const page = plainPages(pages, '').get('quick-start.md');
  expect(page).toContain('stands for the address that serves this page');
});

describe('every page', () => {
  test('has its examples filled in', () => {
    for (const [path, text] of pages) expect(text, path).not.toContain('<!--');
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
