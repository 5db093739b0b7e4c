import type { JsonObject } from '../../../lib/http/json-schema.ts';
import type { Exchange } from '../call.ts';
import { exchangeBlock } from './code-block.ts';
import { blocks, inline, slugOf } from './markdown.ts';
import { html, type Markup } from './markup.ts';
import { memberOf, membersOf, schemaId, typeOf } from './schema.ts';

/** The reference: every operation of the OpenAPI document, with the calls of the story as examples. */

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  operation: JsonObject;
}

export interface Shown {
  title: string;
  exchange: Exchange;
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

export function operationsOf(document: JsonObject): Operation[] {
  const paths = isObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      if (!isObject(operation)) return [];
      const tag = Array.isArray(operation.tags) ? text(operation.tags[0]) : '';
      return [{ id: text(operation.operationId), method: method.toUpperCase(), path, tag, operation }];
    }),
  );
}

export const operationAnchor = (id: string) => `op-${id}`;
export const tagAnchor = (tag: string) => `tag-${slugOf(tag)}`;

export function tagsOf(document: JsonObject): { name: string; description: string }[] {
  return objects(document.tags).map(({ name, description }) => ({
    name: text(name),
    description: text(description),
  }));
}

export function reference(
  document: JsonObject,
  examplesOf: (operation: Operation) => readonly Shown[],
): Markup {
  const operations = operationsOf(document);
  const sections = tagsOf(document).map(
    ({ name, description }) => html`<section>
<h3 id="${tagAnchor(name)}">${name}</h3>
<p>${inline(description)}</p>
${operations.filter(({ tag }) => tag === name).map((each) => operationSection(each, document, examplesOf(each)))}</section>
`,
  );
  return html`<section class="reference">
<h2 id="reference">Reference</h2>
<p>Every route, made from the same objects that answer your requests. The answers shown are real.</p>
${sections}${schemas(document)}</section>
`;
}

function operationSection(
  { id, method, path, operation }: Operation,
  document: JsonObject,
  shown: readonly Shown[],
): Markup {
  const [first, ...more] = shown;
  const others = more.map(
    ({
      title,
      exchange,
    }) => html`<details><summary>${title} <span class="status s${String(exchange.status).charAt(0)}">${exchange.status}</span></summary>
${exchangeBlock(exchange)}</details>
`,
  );
  return html`<section class="operation" id="${operationAnchor(id)}">
<h4>${text(operation.summary)}</h4>
<p class="route"><span class="method">${method}</span> <code>${path}</code></p>
<div class="facts">
${typeof operation.description === 'string' && blocks(operation.description)}${security(operation)}${parameters(operation)}${requestBody(operation)}${responses(operation, document)}</div>
<div class="samples">
${first && html`<h5>${first.title}</h5>\n${exchangeBlock(first.exchange)}`}${others}</div>
</section>
`;
}

const NEEDS: Readonly<Record<string, string>> = {
  secretKey: 'a secret key',
  operatorToken: 'the operator’s token',
  cronSecret: 'the platform’s cron secret',
};

function security(operation: JsonObject): Markup {
  const ways = objects(operation.security).map((scheme) => NEEDS[Object.keys(scheme)[0] ?? ''] ?? 'nothing');
  return html`<p class="needs">Needs ${[...new Set(ways)].join(', or ')}.</p>\n`;
}

const PLACES: Readonly<Record<string, string>> = { path: 'path', query: 'query', header: 'header' };

function parameters(operation: JsonObject): Markup | null {
  const all = objects(operation.parameters);
  if (all.length === 0) return null;
  const items = all.map(({ name, in: place, description, required, schema, example }) => {
    const shown = {
      ...(isObject(schema) ? schema : {}),
      description: text(description),
      ...(example === undefined ? {} : { examples: [example] }),
    };
    const where = html` <span class="place">${PLACES[text(place)] ?? ''}</span>`;
    return memberOf(text(name), shown, required === true, 'sent', where);
  });
  return html`<h5>Parameters</h5>\n<ul class="members">${items}</ul>\n`;
}

function jsonSchemaOf(holder: unknown): JsonObject | null {
  const content =
    isObject(holder) && isObject(holder.content) ? holder.content['application/json'] : undefined;
  return isObject(content) && isObject(content.schema) ? content.schema : null;
}

function requestBody(operation: JsonObject): Markup | null {
  const schema = jsonSchemaOf(operation.requestBody);
  if (!schema) return null;
  return html`<h5>Body</h5>\n${membersOf(schema, 'sent') ?? html`<p>${typeOf(schema)}</p>\n`}`;
}

function responses(operation: JsonObject, document: JsonObject): Markup {
  const answers = isObject(operation.responses) ? Object.entries(operation.responses) : [];
  const items = answers.map(([status, declared]) => {
    const answer = resolved(declared, document);
    const schema = jsonSchemaOf(answer);
    const shape =
      schema && status < '400' ? (membersOf(schema, 'answered') ?? html`<p>${typeOf(schema)}</p>`) : null;
    return html`<dt><span class="status s${status.charAt(0)}">${status}</span></dt>
<dd>${status < '400' ? html`<p>${inline(text(answer.description))}</p>\n` : codesOf(answer)}${shape}</dd>
`;
  });
  return html`<h5>Answers</h5>\n<dl class="answers">${items}</dl>\n`;
}

function resolved(value: unknown, document: JsonObject): JsonObject {
  if (!isObject(value)) return {};
  const path = text(value.$ref).split('/').slice(1);
  if (path.length === 0) return value;
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
  return isObject(found) ? found : {};
}

/** The codes of an error answer, each a link to its page. */
function codesOf(answer: JsonObject): Markup {
  const codes = [...text(answer.description).matchAll(/^(?:- )?`([A-Z_]+)`/gm)].map(([, code]) => code ?? '');
  return html`<p>${[...new Set(codes)].map((code) => html`<a class="code-link" href="/docs/errors/${code}.html">${code}</a> `)}</p>`;
}

function schemas(document: JsonObject): Markup {
  const all =
    isObject(document.components) && isObject(document.components.schemas) ? document.components.schemas : {};
  const sections = Object.entries(all).map(([name, schema]) => {
    const shown = isObject(schema) ? schema : {};
    const members = membersOf(shown, name.endsWith('Input') ? 'sent' : 'answered');
    return html`<section class="schema" id="${schemaId(name)}">
<h4>${name}</h4>
${blocks(text(shown.description).replace(/\n\n- [\s\S]*$/, ''))}${members ?? html`<p>${typeOf(shown)}</p>\n`}</section>
`;
  });
  return html`<section>
<h3 id="schemas">Schemas</h3>
<p>The named parts of bodies and answers.</p>
${sections}</section>
`;
}
