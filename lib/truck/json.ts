import * as z from 'zod/mini';

/** Building blocks of the wire schemas. `about` adds a description to the OpenAPI document. */

export function about<S extends z.ZodMiniType>(schema: S, description: string, example?: unknown): S {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, example === undefined ? { description } : { description, examples: [example] });
  return copy;
}

/** Names a schema, so that it becomes a component of the OpenAPI document; `keywords` are more of JSON Schema to show. */
export function nameSchema<S extends z.ZodMiniType>(
  id: string,
  schema: S,
  description: string,
  keywords: Readonly<Record<string, unknown>> = {},
): S {
  z.globalRegistry.add(schema, { id, description, ...keywords });
  return schema;
}

const documented = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/** Sets the schema to document for one that checks less, because a later step checks the rest. */
export function documentedAs<S extends z.ZodMiniType>(schema: S, as: z.ZodMiniType): S {
  documented.set(schema, as);
  return schema;
}

/** Returns the schema to document for this one. */
export function documentedSchema(schema: z.ZodMiniType): z.ZodMiniType {
  return documented.get(schema) ?? schema;
}

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** True for a day of the calendar; Date.parse reads 31 February as 3 March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(Date.parse(text) || 0).toISOString().startsWith(text);

/** True for a time that begins with a day of the calendar. */
export const isTime = (text: string): boolean =>
  isDay(text.slice(0, 10)) && Number.isFinite(Date.parse(text));

export const IsoTime = about(
  z.stringFormat('date-time', ISO_TIME),
  'UTC, ISO 8601.',
  '2026-01-15T09:30:00.000Z',
);
export const Nullable = {
  text: z.nullable(z.string()),
  integer: z.nullable(z.int()),
  number: z.nullable(z.number()),
  time: z.nullable(IsoTime),
} as const;

export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'));

/** The form of a slug in a request; whether a dealer has it is looked up. */
export const SLUG_LIKE = /^[a-z0-9-]{1,64}$/;
export const SlugLike = z.string().check(z.regex(SLUG_LIKE, 'must be a slug'));

/** Text of 1 to `max` characters once trimmed, without control characters. */
export function line(max: number) {
  return z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text), 'must be plain text'),
  );
}

/** The largest integer of PostgreSQL. */
const MAX_INTEGER = 2_147_483_647;

/** The digits of a whole number in a query. */
export function digits(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/, message)),
    z.pipe(z.transform(Number), z.int().check(z.gte(min, message), z.lte(max, message))),
  );
}

/** A query parameter that is a whole number, absent or from `min` to `max`. */
export const integerParameter = (description: string, example: number, min = 0, max = MAX_INTEGER) =>
  z.optional(about(digits(min, max), description, example));

export const Email = z.email('must be an e-mail address').check(z.maxLength(254));

/** The URL parser accepts blanks and control characters, which must not be stored. */
export const PlainUrl = z.url({ protocol: /^https?$/ }).check(
  z.maxLength(2_000),
  z.refine((text) => text.isWellFormed() && !/[\s\p{Cc}]/u.test(text), 'must be a plain URL'),
);

/** `true` or `false` in a query. */
export const flag = z.pipe(
  z.enum(['true', 'false']),
  z.pipe(
    z.transform((text: 'true' | 'false') => text === 'true'),
    z.boolean(),
  ),
);

/** The query of writes whose only parameter is `dry_run`. */
export const DryRunQuery = z.object({
  dry_run: z.optional(about(flag, '`true` checks everything and stores nothing.', true)),
});

/** Marks the answer of a dry run. */
export const dryRunMark = { dry_run: z.optional(z.literal(true)) } as const;

/** An id of the service in a path or body. */
export const Id = z.string().check(z.regex(/^\w{1,64}$/, 'must be an id'));

export const Cursor = z.optional(
  about(z.string().check(z.maxLength(300)), 'The `next_cursor` of the previous page.'),
);

/** `limit` and `cursor` of every list. */
export const PageQuery = z.object({
  limit: about(z._default(digits(1, 200), 50), 'Maximum items per page, 1 to 200.', 50),
  cursor: Cursor,
});
