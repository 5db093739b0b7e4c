import type { JsonObject } from '../../../lib/http/json-schema.ts';
import { type Exchange, prettyJson } from '../call.ts';
import { findEndpoint, type Recording, storySteps } from '../record.ts';
import { exchangeBlocks } from './guide.ts';

/** A page for each operation of the document: what it takes, answers and refuses, with calls that really were made. */

export interface OperationPage {
  id: string;
  tag: string;
  title: string;
  text: string;
}

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: JsonObject } } };
  responses: Record<string, { $ref?: string; description?: string }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonObject;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonObject>; responses: Record<string, { description: string }> };
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

export function operationPages(described: JsonObject, { steps }: Recording): OperationPage[] {
  const document = described as unknown as Document;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const exchanges = storySteps().flatMap(([name, { call, title }]) =>
        findEndpoint(call)?.id === operation.operationId ? [{ title, exchange: steps[name] }] : [],
      );
      const text = operationPage(document, `${method.toUpperCase()} ${path}`, operation, exchanges);
      return [{ id: operation.operationId, tag: operation.tags[0], title: operation.summary, text }];
    }),
  );
}

function operationPage(
  document: Document,
  route: string,
  operation: Operation,
  exchanges: readonly { title: string; exchange: Exchange }[],
): string {
  const { summary, description, parameters = [], requestBody, tags } = operation;
  const body = requestBody?.content['application/json'].schema;
  const anchor = `#tag/${tags[0].toLowerCase().replaceAll(' ', '-')}/${route.replace(' ', '')}`;
  return [
    `# ${summary}`,
    `\`${route}\` · \`${operation.operationId}\` · [Try it](/docs/reference.html${anchor}){target="_self"}`,
    description,
    ...(parameters.length > 0 ? ['## Parameters', parameterTable(parameters)] : []),
    ...(body
      ? ['## Body', ...listVariants(document, body).map((variant) => variantTable(document, variant))]
      : []),
    ...(exchanges.length > 0 ? ['## Examples'] : []),
    ...exchanges.flatMap(({ title, exchange }) => [`### ${title}`, exchangeBlocks(exchange)]),
    '## Answers',
    answerTable(document, operation),
  ].join('\n\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => [
    `\`${name}\`${required ? ' (required)' : ''}`,
    place,
    `${description} ${listValues(schema)}`.trim(),
  ]);
  return table(['Name', 'In', 'Meaning'], rows);
}

/** `a`, `b` or `c`, where only these are meant. */
function listValues(schema: JsonObject): string {
  const { enum: values } = (schema.items as JsonObject | undefined) ?? schema;
  return Array.isArray(values) ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
}

/** The schemas a body may follow, each on its own. */
function listVariants(document: Document, schema: JsonObject): JsonObject[] {
  const target = resolve(document, schema);
  return Array.isArray(target.anyOf)
    ? target.anyOf.flatMap((variant: JsonObject) => listVariants(document, variant))
    : [target];
}

function resolve({ components }: Document, schema: JsonObject): JsonObject {
  const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : null;
  return name === null ? schema : (components.schemas[name] ?? {});
}

function variantTable(
  document: Document,
  { description, properties = {}, required = [] }: JsonObject,
): string {
  const members = Object.entries(properties as Record<string, JsonObject>);
  const shown = members.filter(([, member]) => !String(member.description).startsWith('The same as'));
  const rows = shown.map(([name, member]) => {
    const target = resolve(document, member);
    const about = String(member.description ?? target.description ?? '');
    const isRequired = (required as string[]).includes(name);
    return [
      `\`${name}\`${isRequired ? ' (required)' : ''}`,
      `${about} ${listValues(target)}`.trim(),
      example(member),
    ];
  });
  return `${description ?? ''}\n\n${table(['Member', 'Meaning', 'Example'], rows)}`;
}

function example({ examples }: JsonObject): string {
  return Array.isArray(examples) ? `\`${prettyJson(examples[0]).replaceAll(/\s*\n\s*/g, ' ')}\`` : '';
}

function answerTable({ components }: Document, { responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { $ref, description }]) => {
    const about = $ref ? components.responses[$ref.split('/').at(-1) ?? '']?.description : description;
    const lines = (about ?? '').split('\n\n').filter((line) => line.startsWith('`') || status < '300');
    return [status, lines.join(' ').replaceAll(/^`([A-Z_]+)`|(?<= )`([A-Z_]+)`(?=: )/g, toErrorLink)];
  });
  return table(['Status', 'When'], rows);
}

const toErrorLink = (_: string, first?: string, other?: string) => {
  const code = first ?? other ?? '';
  return `[${code}](../errors/${code}.md)`;
};

/** For VitePress' sidebar, by tag. */
export function operationSidebar(pages: readonly OperationPage[]) {
  const tags = [...new Set(pages.map(({ tag }) => tag))];
  return tags.map((tag) => ({
    text: tag,
    items: pages
      .filter((page) => page.tag === tag)
      .map(({ id, title }) => ({ text: title, link: `/operations/${id}` })),
  }));
}

export function operationIndexPage(pages: readonly OperationPage[]): string {
  const rows = pages.map(({ id, tag, title }) => [tag, `[${title}](${id}.md)`]);
  return `# Operations\n\nEach has a page with its parameters, calls in five languages and what it answers. All of them with a form to try stand in the [API reference](/docs/reference.html){target="_self"}.\n\n${table(['Part', 'Operation'], rows)}\n`;
}
