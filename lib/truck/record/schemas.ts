import * as z from 'zod/mini';
import { LIMITS, LISTING_STATUSES } from '../fields.ts';
import { about, documentedAs, nameSchema } from '../json.ts';
import type { Entry, Kind } from './entry.ts';
import { FIELDS } from './fields.ts';
import { PARTS, PLACE_PARTS } from './parts.ts';
import { FIELD_NAMES, type FieldName, PLACE_NAMES } from './record.ts';

/** Schemas of records in requests and of fields in answers, made from the record table. */

const ANSWER_SCHEMAS = {
  text: z.nullable(z.string()),
  block: z.nullable(z.string()),
  integer: z.nullable(z.int()),
  list: z.nullable(z.array(z.string())),
} as const;

/** The plain fields of a listing. */
export const answeredFields = Object.fromEntries(
  FIELD_NAMES.map((name) => [
    name,
    about(ANSWER_SCHEMAS[FIELDS[name].kind], FIELDS[name].about, FIELDS[name].example),
  ]),
) as { [Name in FieldName]: (typeof ANSWER_SCHEMAS)[(typeof FIELDS)[Name]['kind']] };

const Text = z.nullable(z.union([z.string(), z.number()]));
/** What dealers may send for each kind; the pipeline reads it. Blank text counts as absent. */
const INPUT_SCHEMAS: Readonly<Record<Kind, z.ZodMiniType>> = {
  text: Text,
  block: Text,
  part: Text,
  integer: z.nullable(z.union([z.number(), z.string()])),
  list: z.nullable(z.union([z.array(z.string()), z.string()])),
};

function describeMember(
  { names, kind, about: text, example, required }: Entry,
  schema: z.ZodMiniType = INPUT_SCHEMAS[kind],
) {
  const also = names.length > 1 ? ` Also accepted as ${names.slice(1).join(', ')}.` : '';
  return z.optional(about(schema, `${required ? 'Required. ' : ''}${text}${also}`, example));
}

/** Lists the other names under which a field may be sent. */
function listAliases({ names, kind }: Entry) {
  const [canonical, ...others] = names;
  return others.map(
    (name) => [name, z.optional(about(INPUT_SCHEMAS[kind], `The same as \`${canonical}\`.`))] as const,
  );
}

/** JSON Schema: each required field is present under one of its names. */
const REQUIRED_UNDER_ANY_NAME = {
  allOf: [PARTS.vin, ...FIELD_NAMES.map((name) => FIELDS[name])]
    .filter((entry: Entry) => entry.required)
    .map(({ names }) => ({ anyOf: names.map((name) => ({ required: [name], properties: { [name]: {} } })) })),
};

const inputFields = Object.fromEntries(FIELD_NAMES.map((name) => [name, describeMember(FIELDS[name])]));
const PlaceInput = z.looseObject(
  Object.fromEntries(PLACE_NAMES.map((name) => [name, describeMember(PLACE_PARTS[name])])),
);

/** The provider of a batch's records that name none. */
const ProviderOfBatch = z.optional(about(Text, 'Provider of records without one.', 'dms-1'));

/**
 * Describes a body that is a batch if it has `records`, else a single record. The pipeline checks both, with the same
 * errors.
 */
export function oneOrBatch<One extends z.ZodMiniType>(
  recordSchema: One,
  batch: { name: string; records: string; about: string },
) {
  const Batch = nameSchema(
    batch.name,
    z.looseObject({
      records: about(z.array(recordSchema).check(z.maxLength(LIMITS.batchSize)), batch.records),
      source_provider_id: ProviderOfBatch,
    }),
    batch.about,
  );
  return documentedAs(
    z.looseObject({ records: z.optional(z.array(z.unknown())), source_provider_id: z.optional(z.unknown()) }),
    z.union([recordSchema, Batch]),
  );
}

/**
 * One record as a dealer sends it. The schema only documents it; the validate stage checks it, so that a bad record rejects
 * itself, not the request.
 */
export const RecordInput = nameSchema(
  'InventoryRecordInput',
  z.looseObject({
    vin: describeMember(PARTS.vin),
    ...inputFields,
    source_provider_id: describeMember(PARTS.source_provider_id),
    status: describeMember(PARTS.status, z.nullable(z.enum(LISTING_STATUSES))),
    dealer: describeMember(PARTS.dealer),
    location: describeMember(PARTS.location, z.nullable(PlaceInput)),
    images: describeMember(PARTS.images, INPUT_SCHEMAS.list),
    ...Object.fromEntries(
      [PARTS.vin, ...FIELD_NAMES.map((name) => FIELDS[name]), PARTS.dealer].flatMap(listAliases),
    ),
  }),
  'A truck as a dealer sends it: vin, year and make under any accepted name, everything else optional. Unknown fields are kept under `attributes`; numbers may be written as dealers write them (“26,000 lbs”, “$54,900”). An absent field keeps what is stored, an explicit null clears it.',
  REQUIRED_UNDER_ANY_NAME,
);
