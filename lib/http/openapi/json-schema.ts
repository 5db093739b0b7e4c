import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isObject } from '../../truck/is-object.ts';
import { documentedSchema } from '../../truck/json.ts';

/** zod schemas → the JSON Schemas of an OpenAPI 3.1 document. Named schemas become its components. */

export type JsonObject = { [name: string]: unknown };

/** What callers send, what parameters mean once read, or what is answered: that was stored by the rules of its day. */
type Side = 'input' | 'output' | 'answer';
export type Convert = (schema: z.ZodMiniType, side: Side) => JsonObject;

export function schemaConverter(): { convert: Convert; components: Record<string, JsonObject> } {
  const components: Record<string, JsonObject> = {};

  function convert(schema: z.ZodMiniType, side: Side): JsonObject {
    const io = side === 'input' ? 'input' : 'output';
    const clean = side === 'answer' ? loosen : tidy;
    // As the items of a list a schema with a name is a reference, too.
    const list = z.toJSONSchema(z.array(documentedSchema(schema)), { io, unrepresentable: 'any' });
    const text = JSON.stringify(list).replaceAll('#/$defs/', '#/components/schemas/');
    const { items, $defs = {} } = JSON.parse(text, (_, part) => (isObject(part) ? clean(part) : part));
    for (const [name, part] of Object.entries<JsonObject>($defs)) {
      if (!isDeepStrictEqual(components[name] ?? part, part))
        throw new Error(`schema ${name} means two things: name its input and its output apart`);
      components[name] = part;
    }
    return items;
  }

  return { convert, components };
}

/** Leaves out what tells a caller nothing: zod's bounds of a safe integer, and the pattern of a known format. */
function tidy(node: JsonObject): JsonObject {
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  // Nothing is closed: answers may gain members, and what a body does not take is said when it is sent.
  if (node.additionalProperties === false) delete node.additionalProperties;
  if (typeof node.format === 'string') delete node.pattern;
  const [value, none, third] = Array.isArray(node.anyOf) ? node.anyOf : [];
  if (typeof value?.type !== 'string' || none?.type !== 'null' || third) return node;
  // A value or null: shorter, and what readers of a document expect.
  const { anyOf: _, ...rest } = node;
  const values = value.enum ? { enum: [...value.enum, null] } : {};
  return { ...value, type: [value.type, 'null'], ...values, ...rest };
}

/** Without what only a caller has to keep to. A member may have the name of such a rule. */
function loosen(node: JsonObject): JsonObject {
  const rules = ['minLength', 'maxLength', 'pattern', ...(node.format === 'date-time' ? [] : ['format'])];
  for (const rule of rules) if (typeof node[rule] !== 'object') delete node[rule];
  return tidy(node);
}
