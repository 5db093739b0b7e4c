import * as z from 'zod/mini';
import { ISO_TIME, shownSchema } from '../contract/json.ts';

/** zod schemas → the JSON Schemas of an OpenAPI 3.1 document. Named schemas become its components. */

export type JsonObject = { [name: string]: unknown };

/** What callers send (`input`), or what is answered, and what query parameters mean once read (`output`). */
export type Side = 'input' | 'output';

export interface SchemaConverter {
  /** A schema to put into the document; named parts are references. */
  convert(schema: z.ZodMiniType, side: Side): JsonObject;
  /** The named schemas met so far, by name. */
  readonly components: ReadonlyMap<string, JsonObject>;
}

export function schemaConverter(): SchemaConverter {
  const components = new Map<string, JsonObject>();
  return {
    components,
    convert(schema, side) {
      const shown = shownSchema(schema);
      const raw = z.toJSONSchema(shown, { io: side, unrepresentable: 'any' });
      const { $defs = {}, ...root } = tidy(raw, side);
      for (const [name, part] of Object.entries($defs as Record<string, JsonObject>)) keep(name, part);
      const name = z.globalRegistry.get(shown)?.id;
      if (name === undefined || '$ref' in root) return root;
      keep(name, root);
      return reference(name);
    },
  };

  function keep(name: string, schema: JsonObject): void {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`schema ${name} means two things: name its input and its output apart`);
    components.set(name, schema);
  }
}

export function reference(name: string, section = 'schemas'): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

function tidy(node: JsonObject, side: Side): JsonObject {
  const { $schema: _, $id: __, id: ___, ...rest } = node;
  const kept = Object.entries(rest).flatMap(([name, value]) => tidyKeyword(name, value, rest, side));
  return collapsed(Object.fromEntries(kept));
}

function tidyKeyword(name: string, value: unknown, node: JsonObject, side: Side): [string, unknown][] {
  switch (name) {
    case '$ref':
      return [[name, String(value).replace('#/$defs/', '#/components/schemas/')]];
    case 'minimum':
    case 'maximum':
      // zod's bounds of a safe integer say nothing about the value.
      return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? [] : [[name, value]];
    case 'pattern':
      if (value === ISO_TIME.source) return [['format', 'date-time']];
      return node.format === 'email'
        ? []
        : [[name, String(value).replaceAll(CONTROLS, '\\u0000-\\u001f\\u007f-\\u009f')]];
    case 'propertyNames':
      return [];
    case 'additionalProperties':
      return tidyRest(value, side);
    case 'properties':
    case '$defs':
      return [[name, mapValues(value as Record<string, JsonObject>, (part) => tidy(part, side))]];
    case 'items':
      return [[name, tidy(value as JsonObject, side)]];
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return [[name, (value as JsonObject[]).map((part) => tidy(part, side))]];
    default:
      return [[name, value]];
  }
}

/** Readers of a schema know no classes of characters. */
const CONTROLS = '\\p{Cc}';

/** Nothing is closed: answers may gain members, and what an input does not take is said when it is sent. */
function tidyRest(value: unknown, side: Side): [string, unknown][] {
  if (value === false) return [];
  const rest = tidy(value as JsonObject, side);
  return [['additionalProperties', Object.keys(rest).length === 0 ? true : rest]];
}

/** `anyOf` of string and null → `type: [string, null]`: shorter, and what readers expect. */
function collapsed(node: JsonObject): JsonObject {
  if (!Array.isArray(node.anyOf)) return node;
  const parts = (node.anyOf as JsonObject[]).flatMap((part) =>
    Array.isArray(part.anyOf) && Object.keys(part).length === 1 ? (part.anyOf as JsonObject[]) : [part],
  );
  const nulls = parts.filter((part) => part.type === 'null');
  const others = parts.filter((part) => part.type !== 'null');
  const [first] = others;
  const { anyOf: _, ...rest } = node;
  const bare = (part: JsonObject) => Object.keys(part).length === 1 && typeof part.type === 'string';
  if (parts.every(bare)) return { type: parts.map(({ type }) => type), ...rest };
  if (others.length === 1 && nulls.length === 1 && first && typeof first.type === 'string') {
    const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
    return { ...first, type: [first.type, 'null'], ...values, ...rest };
  }
  return { anyOf: parts, ...rest };
}

function mapValues<In, Out>(of: Record<string, In>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}
