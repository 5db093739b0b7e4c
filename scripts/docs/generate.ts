import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '../../lib/endpoints/index.ts';
import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/http/json-schema.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { fillGuide } from './guide.ts';
import { docsPage } from './html/docs-page.ts';
import { errorIndexPage, errorPage } from './html/error-pages.ts';
import { type Operation, operationsOf, type Shown } from './html/reference.ts';
import { widgetPage } from './html/widget-page.ts';
import { endpointOf, pageOf, type Recording, record } from './record.ts';
import { STORY, type StepName } from './story.ts';

export const ROOT = new URL('../..', import.meta.url).pathname;

const DESCRIPTION = `Ingests, merges, enriches and serves dealers’ listings of commercial trucks (Class 3 to 8).

The guide is at [/docs/](/docs/), and every error code has a page under [/docs/errors/](/docs/errors/). Paths under \`/v1\` are served under \`/api/v1\` too. Every answer carries an \`x-request-id\`.`;

/** The OpenAPI document of all endpoints, with recorded examples. */
export async function describeService(examples?: Recording['examples']): Promise<JsonObject> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const info = {
    title: 'Commercial Truck Inventory API',
    version,
    summary: 'Commercial trucks of dealers: send them, read them by VIN.',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  };
  return openApiDocument(ENDPOINTS, info, examples);
}

/** The pages: path below public/docs → text. Performs the examples against the service. */
export async function generateSite(): Promise<Map<string, string>> {
  const recording = await record();
  const document = await describeService(recording.examples);
  const guide = fillGuide(await readFile(join(ROOT, 'docs/api.md'), 'utf8'), recording);
  const files = new Map([
    ['index.html', docsPage(guide, document, (operation) => shownFor(operation, recording))],
    ['widget.html', widgetPage(await readFile(join(ROOT, 'docs/widget.md'), 'utf8'))],
    ['errors/index.html', errorIndexPage()],
  ]);
  const operations = operationsOf(document);
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const page = errorPage(code, {
      recording: recording.errors.get(code) ?? null,
      operations: operations.filter(({ operation }) => mentions(operation, document, code)),
      ...(code === 'NOT_FOUND'
        ? { variant: { title: 'The right path, the wrong method', recording: recording.wrongMethod } }
        : {}),
    });
    files.set(pageOf(code), page);
  }
  return files;
}

function shownFor({ id }: Operation, { steps }: Recording): Shown[] {
  return Object.entries(STORY)
    .filter(([, { call }]) => endpointOf(call)?.id === id)
    .map(([name, { title }]) => ({ title, exchange: steps[name as StepName] }));
}

/** Whether an operation declares the code, in its own answers or in a shared one. */
function mentions(operation: JsonObject, { components }: JsonObject, code: ErrorCode): boolean {
  const own = JSON.stringify(operation.responses);
  const named = [...own.matchAll(/#\/components\/responses\/(\w+)/g)].map(([, name]) => name ?? '');
  const shared = (components as { responses: Record<string, unknown> }).responses;
  const texts = [
    own,
    ...named.filter((name) => name !== 'MethodNotAllowed').map((name) => JSON.stringify(shared[name])),
  ];
  return texts.some((text) => text.includes(`\`${code}\`:`));
}
