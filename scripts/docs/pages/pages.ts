import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERRORS, type ErrorCode } from '../../../lib/errors.ts';
import { listWarnings } from '../../../lib/warnings.ts';
import { EXAMPLE_ADDRESS, ROOT } from '../deployment.ts';
import type { Recording } from '../recording.ts';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { fillGuide, readGuides, WIDGET_TAG } from './guide.ts';
import { OPERATIONS } from './operations.ts';

/** The Markdown pages of the docs site: path below /docs → text. */
export async function sitePages(recording: Recording): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [path, text] of await readGuides()) pages.set(path, fillGuide(path, text, recording));
  pages.set('changelog.md', changelogPage(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')));
  pages.set('warnings.md', warningsPage());
  pages.set('errors/index.md', errorIndexPage());
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    pages.set(`errors/${code}.md`, errorPage(code, recording));
  pages.set('operations.md', operationsPage());
  return pages;
}

/** A page for a machine: without what only the site shows, and each call once; programs stay in all languages. */
function toPlainMarkdown(text: string): string {
  return text
    .replaceAll(/^(```sh \[curl\]\n[\s\S]*?\n```)(?:\n\n```\w+ \[[^\]\n]+\]\n[\s\S]*?\n```)+/gm, '$1')
    .replaceAll(/^```(\w+) \[[^\]\n]+\]$/gm, '```$1')
    .replace(`## Try it\n\n${WIDGET_TAG}\n`, '')
    .replaceAll(/<span id="\w+"><\/span>/g, '');
}

const ADDRESS_NOTE = `\`${EXAMPLE_ADDRESS}\` stands for the address that serves this page.\n\n`;

/** The pages for machines; `address` is where the service is reached, '' where that is not known. */
export function plainPages(pages: ReadonlyMap<string, string>, address: string): Map<string, string> {
  return new Map(
    [...pages].map(([path, page]) => {
      const text = toPlainMarkdown(page);
      if (address !== '') return [path, text.replaceAll(EXAMPLE_ADDRESS, address)];
      return [path, text.includes(EXAMPLE_ADDRESS) ? ADDRESS_NOTE + text : text];
    }),
  );
}

/** CHANGELOG.md links to files of the repository; the site has those of docs/ as pages beside it. */
function changelogPage(changelog: string): string {
  return changelog.replaceAll('](docs/', '](');
}

/** Lists the operations with links to the reference, so that the search and machines find them. */
function operationsPage(): string {
  const rows = OPERATIONS.map(
    ({ call, id, summary, reference }) => `| [\`${call}\`](${reference}) | \`${id}\` | ${summary} |`,
  );
  return `# Operations

The [API reference](/docs/reference.html) shows what each takes, answers and refuses, with a form to try it.

| Call | Operation | What it does |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function warningsPage(): string {
  const rows = listWarnings().map(
    ({ code, field, when, fix }) =>
      `| <span id="${code}"></span>\`${code}\` | ${field === null ? '' : `\`${field}\``} | ${when} | ${fix} |`,
  );
  return `# Warnings

A warning says that something looks wrong. The record is stored all the same. Each has a stable \`code\`, the \`field\` and a \`message\`.

| Code | Field | When | What to do |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** llms.txt: where a machine finds each page as Markdown. */
export function llmsIndex(pages: ReadonlyMap<string, string>): string {
  return `# Commercial Truck Inventory API

> Send the trucks of dealers, find them, sell them. The whole interface as OpenAPI 3.1: [openapi.json](/openapi.json).

## Pages

${listPages(pages)}
`;
}

export const listPages = (pages: ReadonlyMap<string, string>): string =>
  [...pages]
    .map(([path, text]) => {
      const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
      return `- [${title.replaceAll('`', '')}](/docs/${path})`;
    })
    .join('\n');
