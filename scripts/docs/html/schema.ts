import type { JsonObject } from '../../../lib/http/json-schema.ts';
import { inline } from './markdown.ts';
import { html, Markup } from './markup.ts';

/** JSON Schemas for readers: a list of members, each with its type and meaning. */

/** Senders must know what is required, readers of an answer what may be absent. */
export type Direction = 'sent' | 'answered';

const isSchema = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isSchema) : []);

export const schemaId = (name: string) => `schema-${name}`;

/** The members of an object schema, nested ones inside; null when there are none to show. */
export function membersOf(schema: JsonObject, direction: Direction): Markup | null {
  if (!isSchema(schema.properties)) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const entries = Object.entries(schema.properties).filter((entry): entry is [string, JsonObject] =>
    isSchema(entry[1]),
  );
  if (entries.length === 0) return null;
  return html`<ul class="members">
${entries.map(([name, member]) => memberOf(name, member, required.has(name), direction))}</ul>
`;
}

export function memberOf(
  name: string,
  schema: JsonObject,
  required: boolean,
  direction: Direction,
  note?: Markup,
): Markup {
  const { description, default: preset } = schema;
  const mark = direction === 'sent' ? required && 'required' : !required && 'optional';
  return html`<li><p class="member"><code class="name">${name}</code> <span class="type">${typeOf(schema)}${
    preset !== undefined && html`, default <code>${JSON.stringify(preset)}</code>`
  }</span>${mark && html` <span class="${mark}">${mark}</span>`}${note}</p>
${typeof description === 'string' && html`<p>${inline(description)}</p>\n`}${exampleOf(schema)}${nestedOf(schema, direction)}</li>
`;
}

function nestedOf(schema: JsonObject, direction: Direction): Markup | null {
  const items = isSchema(schema.items) ? schema.items : undefined;
  const members = membersOf(schema, direction) ?? (items ? membersOf(items, direction) : null);
  const alternatives = listOf(items?.anyOf ?? schema.anyOf).flatMap((part) => {
    const shown = membersOf(part, direction);
    return shown ? [html`<p class="or">${titleOf(part)}</p>${shown}`] : [];
  });
  return members ?? (alternatives.length > 0 ? html`${alternatives}` : null);
}

/** What tells alternatives apart. */
function titleOf(part: JsonObject): Markup {
  const outcome =
    isSchema(part.properties) && isSchema(part.properties.outcome) ? part.properties.outcome : null;
  return outcome ? html`where <code>outcome</code> is ${typeOf(outcome)}` : html`as an object`;
}

function exampleOf({ examples, default: preset }: JsonObject): Markup | null {
  if (!Array.isArray(examples) || examples.length === 0 || examples[0] === preset) return null;
  return html`<p class="for-example">For example <code>${JSON.stringify(examples[0])}</code></p>\n`;
}

/** The type in words: `string or null`, `one of sold, delisted`, a link to a named schema. */
export function typeOf(schema: JsonObject): Markup {
  if (typeof schema.$ref === 'string') return linkTo(schema.$ref);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) return joined('one of ', schema.enum.map(choice), ', ');
  const parts = listOf(schema.anyOf ?? schema.oneOf);
  if (parts.length > 0) return joined('', parts.map(typeOf), ' or ');
  if (schema.type === 'array')
    return html`list of ${isSchema(schema.items) ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === undefined) return html`anything`;
  const rest = schema.additionalProperties;
  if (schema.type === 'object' && !schema.properties && isSchema(rest) && Object.keys(rest).length > 0)
    return html`object of ${typeOf(rest)}`;
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)];
  return html`${types.join(' or ')}${boundsOf(schema)}`;
}

const choice = (value: unknown) => html`<code>${String(value)}</code>`;

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: JsonObject): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `, ${minimum} to ${maximum}`;
  if (typeof minimum === 'number') return `, at least ${minimum}`;
  if (typeof minLength === 'number' && minLength === maxLength) return `, exactly ${minLength} characters`;
  if (typeof maxLength === 'number') return `, at most ${maxLength} characters`;
  if (typeof maxItems === 'number') return `, at most ${maxItems}`;
  return '';
}

function linkTo(ref: string): Markup {
  const name = ref.split('/').at(-1) ?? '';
  return html`<a href="#${schemaId(name)}">${name}</a>`;
}

function joined(before: string, parts: readonly Markup[], between: string): Markup {
  return new Markup(before + parts.map(({ text }) => text).join(between));
}
