import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { docUrl, ERRORS, type ErrorCode, REASON_MEANINGS, REASONS } from '../../lib/errors.ts';
import { endpointsFor, ROOT } from '../../scripts/docs/describe-service.ts';
import { changelogFeed } from '../../scripts/docs/pages/changelog-feed.ts';
import { llmsIndex, readChangelog, sitePages, toPlainMarkdown } from '../../scripts/docs/pages/pages.ts';
import { useRecording } from '../support/service/recording.ts';

const pages = await sitePages(await useRecording());

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');

test('every code has its page, where `doc_url` points', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const path = docUrl(code).replace('/docs/', '').replace('.html', '.md');
    expect(pages.get(path), code).toContain(ERRORS[code].fix);
  }
});

test('every reason is listed, with its fix or its meaning', () => {
  const limits = pages.get('limits.md');
  for (const [reason, text] of Object.entries({ ...REASONS, ...REASON_MEANINGS }))
    expect(limits).toContain(`| \`${reason}\` | ${text} |`);
});

test('llms.txt names every page', () => {
  expect(all(llmsIndex(pages), /\(\/docs\/([^)]+)\)/g).sort()).toEqual([...pages.keys()].sort());
});

test('every operation of sellers has a page, with a call in five languages where the story makes it', () => {
  for (const { id, method, path } of endpointsFor('sellers'))
    expect(pages.get(`operations/${id}.md`), id).toContain(`\`${method} ${path}\` · \`${id}\``);
  const page = pages.get('operations/patchInventory.md') ?? '';
  for (const label of ['curl', 'JavaScript', 'Python', 'C#', 'PHP']) expect(page).toContain(`[${label}]`);
});

test('as plain Markdown each call stands once, programs in each language, and nothing that only the site understands', () => {
  for (const [path, text] of pages) {
    const plain = toPlainMarkdown(text);
    for (const trace of [':::', '[curl]', '{target=', '<TryWidget', 'request = urllib.request.Request('])
      expect(plain, path).not.toContain(trace);
  }
  const receivers = toPlainMarkdown(pages.get('leads.md') ?? '');
  for (const language of ['js', 'python', 'csharp', 'php'])
    expect(receivers).toContain(`\`\`\`${language}\n`);
  expect(toPlainMarkdown(pages.get('operations/patchInventory.md') ?? '')).toContain(
    '```sh\ncurl -i -X PATCH',
  );
});

test('the changelog as RSS is XML that has every change and every limit', async () => {
  const feed = new XMLParser().parse(changelogFeed(await readChangelog(), 'https://trucks.example'));
  const titles: string[] = feed.rss.channel.item.map(({ title }: { title: string }) => title);
  expect(titles.length).toBeGreaterThan(40);
  expect(titles.some((title) => title.startsWith('Limits: records per batch: 500'))).toBe(true);
  expect(feed.rss.channel.item[0].link).toBe('https://trucks.example/docs/changelog.html');
});

test('pages for sellers name no setting of whoever runs the service, and no file of the repository', () => {
  for (const [path, text] of pages) {
    // The deep health check is the operator’s, and shown as such.
    if (['changelog.md', 'operations/getHealth.md'].includes(path)) continue;
    const found =
      /\b(?:FEED_SECRET_KEY|SMTP_URL|AI_BASE_URL|CRON_SECRET|ADMIN_TOKEN|DATA_DIR|FAIR_USE|npm run|tests\/)/.exec(
        text,
      );
    expect(found?.[0], path).toBeUndefined();
  }
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
