import * as z from 'zod/mini';
import { STAGES, type StageName } from '../errors.ts';
import { WITHHELD } from '../market/figures/market-rule.ts';
import { IMAGE_STATUSES, LIMITS, LISTING_STATUSES } from '../truck/fields.ts';
import {
  about,
  DryRunQuery,
  dryRunMark,
  flag,
  IsoTime,
  line,
  Nullable,
  nameSchema,
  Sha256,
} from '../truck/json.ts';
import { ORIGINS } from '../truck/origins.ts';
import { answeredFields, oneOrBatch, RecordInput } from '../truck/record/schemas.ts';
import { WarningAnswer } from '../warnings.ts';
import { StatusInput, StatusResult } from './status-schemas.ts';

/** Schemas of the inventory routes. */

/** Body of POST /v1/inventory. */
export const InventoryBody = oneOrBatch(z.union([RecordInput, StatusInput]), {
  name: 'InventoryBatchInput',
  records: 'At most 500 records.',
  about: 'A batch of trucks.',
});

export const InventoryQuery = z.object({
  dry_run: z.optional(about(flag, '`true` runs every stage and stores nothing.', true)),
  return: about(
    z.optional(z.enum(['full', 'errors', 'summary'])),
    'For a batch, the results to return: all (default), the rejects only, or the summary only. For a single record, `full` adds the parts of its quality score.',
    'errors',
  ),
});

export const Quality = nameSchema(
  'Quality',
  z.object({
    score: about(z.int().check(z.gte(0), z.lte(100)), '0 to 100.'),
    missing: about(z.array(z.string()), 'Missing fields; those that raise the score most come first.'),
  }),
  'How complete and useful a listing is.',
);

const ExplainedQuality = nameSchema(
  'ExplainedQuality',
  z.object({
    ...Quality.shape,
    parts: about(
      z.array(
        z.object({
          part: z.string(),
          points: about(z.int(), 'Points the listing gets: all or none.'),
          of: about(z.int(), 'Points it can get.'),
          why: z.optional(about(z.string(), 'Why it gets none, unless the field is simply absent.')),
        }),
      ),
      'All parts of the score; their points add up to it.',
    ),
    raise: about(
      z.array(
        z.object({
          field: about(z.string(), 'The field to send.'),
          points: about(z.int(), 'Points it adds to the score.'),
        }),
      ),
      'Fields that would raise the score; those with most points come first.',
    ),
  }),
  'How complete and useful a listing is, and why.',
);

const PostedQuality = nameSchema(
  'PostedQuality',
  z.partial(ExplainedQuality, { parts: true, raise: true }),
  'How complete and useful a listing is; with `return=full`, also why.',
);

const Status = z.enum(LISTING_STATUSES);
const Outcome = z.enum(['created', 'merged', 'unchanged']);

const acceptedMembers = {
  outcome: Outcome,
  vin: z.string(),
  dedup_hash: about(Sha256, 'SHA-256 of VIN + source_provider_id, hex.'),
  status: Status,
  quality: Quality,
  warnings: z.array(WarningAnswer),
};

const Stages = z.object(
  Object.fromEntries(STAGES.map((stage) => [stage, z.optional(z.string())])) as Record<
    StageName,
    z.ZodMiniOptional<z.ZodMiniString>
  >,
);

export const SingleResult = nameSchema(
  'InventoryResult',
  z.object({
    ...acceptedMembers,
    quality: PostedQuality,
    stages: about(Stages, 'Outcome of each stage: `ok`, or `skipped` for an unchanged record.'),
    ...dryRunMark,
  }),
  'The record went through the pipeline.',
);

/** `details` of a rejected record, the same for a single record and in a batch. */
const RejectDetails = nameSchema(
  'RejectDetails',
  z.object({
    reason: about(z.string(), 'The code in lower case, or a more specific token.'),
    stages: about(Stages, 'The failing stage and its code.'),
    field: z.string(),
    received: about(z.unknown(), 'The value as received, shortened.'),
    fix: about(z.string(), 'What to change.'),
    retryable: z.boolean(),
    doc_url: z.string(),
    issues: z.array(
      z.object({ code: z.string(), field: z.string(), received: z.unknown(), fix: z.string() }),
    ),
  }),
  'Why a record was rejected and what to change.',
);

const BatchResult = z.union([
  z.object({ index: z.int(), ...acceptedMembers }),
  z.object({
    index: z.int(),
    outcome: z.literal('rejected'),
    vin: Nullable.text,
    error: z.object({ code: z.string(), message: z.string(), details: RejectDetails }),
  }),
  // A record that changes a status, or would list a truck that is gone already.
  z.object({ ...StatusResult.shape, outcome: z.enum(['updated', 'unchanged', 'not_found']) }),
]);

export const BatchAnswer = nameSchema(
  'InventoryBatchResult',
  z.object({
    summary: z.object({
      received: z.int(),
      created: z.int(),
      merged: z.int(),
      unchanged: z.int(),
      rejected: z.int(),
      updated: z.optional(about(z.int(), 'Number of changed statuses; absent when there are none.')),
      not_found: z.optional(
        about(z.int(), 'Number of statuses for trucks that are not listed; absent when there are none.'),
      ),
    }),
    rejects_by_code: z.record(z.string(), z.int()),
    results: z.array(BatchResult),
    warnings: z.optional(about(z.array(WarningAnswer), 'UNKNOWN_FIELD, for members beside `records`.')),
    ...dryRunMark,
  }),
  'One result per input record, in input order (see `return`).',
);

export const VinParams = z.object({
  vin: about(
    z.string().check(z.length(17, 'must be exactly 17 characters')),
    'VIN, exactly 17 characters, any case.',
    '3AKJHHDR0KSKA1234',
  ),
});

export const EraseQuery = z.object({
  ...DryRunQuery.shape,
  source_provider_id: z.optional(
    about(
      z.union([z.literal(''), line(200)]),
      'Erases this provider’s listing only; blank is the listing without a provider. If absent, all listings of the VIN are erased.',
      'dms-1',
    ),
  ),
});

const Location = z.object({
  city: Nullable.text,
  state: Nullable.text,
  zip: Nullable.text,
  country: about(z.nullable(z.enum(['US', 'CA', 'MX'])), 'Country as the record names it.'),
  latitude: Nullable.number,
  longitude: Nullable.number,
  source: about(
    z.enum(['record', 'zip', 'city', 'geocoder', 'dealer', 'none']),
    'Source of the coordinates; `dealer`: the record has no place, so the dealer’s is used.',
  ),
});

const ListingImage = nameSchema(
  'ListingImage',
  z.object({
    url: about(z.string(), 'URL at the dealer’s site.'),
    status: about(z.enum(IMAGE_STATUSES), '`pending` until it is fetched; `failed` if it cannot be used.'),
    reason: about(
      Nullable.text,
      'Why it failed, or why the last attempt did: `http_404`, `not_an_image`, `unreadable`, `too_large`, `too_many_pixels`, `dns_failed`, `timeout`, `address_refused`, `account_full`, …',
    ),
    width: about(Nullable.integer, 'Pixels of the original.'),
    height: Nullable.integer,
    placeholder: about(Nullable.text, 'Blurred thumbnail as a data URI, to show while the image loads.'),
    renditions: about(
      z.array(z.object({ width: z.int(), height: z.int(), url: z.string() })),
      'WebP, narrowest first, none wider than the original; relative to the service’s origin.',
    ),
    original: about(
      Nullable.text,
      'The photo without its metadata, at most 4,096 pixels a side; relative to the service’s origin.',
    ),
  }),
  'One image of a listing, in the dealer’s order.',
);

const nullables = <Name extends string, S extends z.ZodMiniType>(names: readonly Name[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>;
const VIN_TEXTS = [
  'make',
  'model',
  'series',
  'vehicle_type',
  'truck_class',
  'body_type',
  'cab',
  'drivetrain',
  'engine',
  'engine_make',
  'engine_model',
  'fuel_type',
  'manufacturer',
  'plant_country',
] as const;
const VIN_NUMBERS = ['year', 'gvwr_min', 'gvwr_max', 'displacement_l', 'cylinders', 'horsepower'] as const;

export const Listing = nameSchema(
  'Listing',
  z.object({
    vin: z.string(),
    ...answeredFields,
    source_provider_id: Nullable.text,
    dedup_hash: z.string(),
    dealer: about(Nullable.text, 'Slug of the dealer.'),
    location: z.nullable(Location),
    vin_facts: about(
      z.object({
        wmi: z.string(),
        check_digit: z.enum(['valid', 'invalid']),
        model_years: z.array(z.int()),
        ...nullables(VIN_TEXTS, Nullable.text),
        ...nullables(VIN_NUMBERS, Nullable.number),
      }),
      'Facts decoded offline from the VIN by NHTSA’s public vPIC tables; null if unknown.',
    ),
    quality: ExplainedQuality,
    attributes: about(z.record(z.string(), z.unknown()), 'Fields the service does not know, as sent.'),
    derived: about(z.array(z.string()), 'Fields the service derived rather than received.'),
    origins: about(
      z.record(z.string(), z.enum(ORIGINS)),
      'Source of each value, by field and member of `location`: `record` (sent, or derived from what was sent), `vin`, `dealer` (the dealer’s place), `gazetteer` (our places and postal codes) or `geocoder`.',
      { make: 'record', engine: 'vin', latitude: 'gazetteer' },
    ),
    images: z.array(ListingImage),
    status: Status,
    market_position: z.optional(
      about(
        z.object({
          count: about(
            z.int(),
            'Other sellers’ available trucks of this model, model year and class with a price.',
          ),
          sellers: about(z.int(), 'Sellers of these.'),
          median_price: about(Nullable.integer, 'Their median asking price, in steps of $500.'),
          percentile: about(
            Nullable.integer,
            'Share of them that ask less, in percent; null if this truck’s price is not in USD.',
          ),
          withheld: about(z.nullable(z.enum(WITHHELD)), 'Why there are no figures.'),
        }),
        'The price compared with other sellers’ trucks; for Pro and Enterprise accounts.',
      ),
    ),
    price_history: z.array(z.object({ price: Nullable.integer, at: IsoTime })),
    sources: about(
      z.array(
        z.object({
          source_provider_id: Nullable.text,
          dedup_hash: z.string(),
          status: Status,
          observed_at: IsoTime,
        }),
      ),
      `The providers of this VIN in the account, at most ${LIMITS.sources}; the first is the one shown.`,
    ),
    observed_at: IsoTime,
    first_seen_at: IsoTime,
    updated_at: IsoTime,
    sold_at: Nullable.time,
    delisted_at: Nullable.time,
  }),
  'A listing as stored and enriched.',
);
