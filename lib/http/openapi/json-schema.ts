import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isObject } from '../../truck/is-object.ts';
import { shownSchema } from '../../truck/json.ts';

/** zod schemas → the JSON Schemas of an OpenAPI 3.1 document. Named schemas become its components. */

export type JsonObject = { [name: string]: unknown };

/** Converts what callers send (`input`), or what is answered and what parameters mean once read (`output`). */
export type Convert = (schema: z.ZodMiniType, side: 'input' | 'output') => JsonObject;

export function schemaConverter(): { convert: Convert; components: Record<string, JsonObject> } {
  const components: Record<string, JsonObject> = {};

  function convert(schema: z.ZodMiniType, io: 'input' | 'output'): JsonObject {
    // As the items of a list a schema with a name is a reference, too.
    const list = z.toJSONSchema(z.array(shownSchema(schema)), { io, unrepresentable: 'any' });
    const text = JSON.stringify(list).replaceAll('#/$defs/', '#/components/schemas/');
    const { items, $defs = {} }: { items: JsonObject; $defs?: Record<string, JsonObject> } = JSON.parse(
      text,
      (_, part) => (isObject(part) ? tidy(part) : part),
    );
    for (const [name, part] of Object.entries($defs)) {
      if (!isDeepStrictEqual(components[name] ?? part, part))
        throw new Error(`schema ${name} means two things: name its input and its output apart`);
      components[name] = part;
    }
    return items;
  }

  return { convert, components };
}

export function reference(name: string, section: 'schemas' | 'responses'): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

/** Leaves out what tells a caller nothing. Its parts are tidy. */
function tidy({ propertyNames: _, ...node }: JsonObject): JsonObject {
  // zod's bounds of a safe integer.
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  // Nothing is closed: answers may gain members, and what a body does not take is said when it is sent.
  if (node.additionalProperties === false) delete node.additionalProperties;
  if (typeof node.format === 'string') delete node.pattern;
  if (!Array.isArray(node.anyOf)) return node;
  const { anyOf, ...rest } = node;
  const [value, none, ...more] = anyOf as JsonObject[];
  if (typeof value?.type !== 'string' || none?.type !== 'null' || more.length > 0) return node;
  // A value or null: shorter, and what readers of a document expect.
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  return { ...value, type: [value.type, 'null'], ...values, ...rest };
}
