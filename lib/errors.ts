/**
 * The error catalogue: every code of the contract (section 7), once. The envelope, the OpenAPI document, the
 * error pages and the generated tests all read this table; nothing else may invent a code.
 *
 * - `status`: the HTTP status the code is answered with (a pipeline code: the status of the single-record answer).
 * - `stage`: the pipeline stage that owns the code; such a code stands in `details.stages`, or in a batch result.
 * - `retryable`: may the very same request succeed later?
 */
export const ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    source: 'all endpoints',
    when: 'The Bearer token is missing, malformed, unknown or revoked, or its account is suspended.',
    fix: 'Send `Authorization: Bearer <key>` with an active key; make a new key in the account dashboard’s settings.',
    retryable: false,
  },
  FORBIDDEN: {
    status: 403,
    source: 'widget/*',
    when: 'The key is valid but may not use this resource: it belongs to another seller, the Origin is not on the key’s list, a publishable widget key was used outside the widget routes, or a secret key came from a browser.',
    fix: 'Use a key of the seller that owns the resource, and a secret key outside the widget routes.',
    retryable: false,
  },
  TIER_RESTRICTED: {
    status: 403,
    source: 'widget/chat, market-data',
    when: 'The account’s tier is below Pro.',
    fix: 'Upgrade the account to Pro or Enterprise.',
    retryable: false,
  },
  VALIDATION_ERROR: {
    status: 400,
    source: 'POST /v1/inventory',
    when: 'The root body fails the schema: it is not a JSON object, `records` is not an array, or the body is over 4 MiB.',
    fix: 'Send one JSON object: a single record, or `{ "records": [ … ] }`.',
    retryable: false,
  },
  BATCH_TOO_LARGE: {
    status: 400,
    source: 'POST /v1/inventory',
    when: '`records` has more than 500 items. No record was looked at.',
    fix: 'Split the batch into requests of at most 500 records.',
    retryable: false,
  },
  INVALID_PAYLOAD: {
    status: 400,
    source: 'POST and PATCH /v1/inventory, POST and PATCH /v1/dealers, and the service’s own routes',
    when: 'The body is not the JSON object the route asks for, or a required top-level field is missing or malformed: vin (inventory), slug (dealers), slug and name (dealer create).',
    fix: 'Add or correct the field named in `details.field`.',
    retryable: false,
  },
  INVALID_VIN: {
    status: 400,
    source: 'GET /v1/inventory/{vin}',
    when: 'The VIN in the path is not exactly 17 characters.',
    fix: 'Send the 17 characters of the VIN, upper case, without spaces or hyphens.',
    retryable: false,
  },
  INVALID_STATUS: {
    status: 400,
    source: 'PATCH /v1/inventory',
    when: '`status` is missing or is neither `sold` nor `delisted`.',
    fix: 'Send `"status": "sold"` or `"status": "delisted"`.',
    retryable: false,
  },
  INVALID_BODY: {
    status: 400,
    source: 'widget/*',
    when: 'The body is not valid JSON or lacks a required widget parameter (message, dealerSlug, visitorId).',
    fix: 'Send a JSON object with message, dealerSlug and visitorId.',
    retryable: false,
  },
  INVALID_PARAMS: {
    status: 400,
    source: 'market-data, widget/lead, and query or path parameters of the service’s own routes',
    when: 'A query or path parameter fails the schema check.',
    fix: 'Correct the parameter named in `details.field`.',
    retryable: false,
  },
  PIPELINE_FAILED: {
    status: 422,
    source: 'POST /v1/inventory, single record',
    when: 'A pipeline stage rejected the record; `details.stages` names the stage and holds its code.',
    fix: 'Follow `details.fix`, then send the record again.',
    retryable: false,
  },
  VIN_MISSING: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The record has no vin, VIN or vehicle_identification_number, or it is blank or null.',
    fix: 'Add the 17-character VIN as `vin`.',
    retryable: false,
  },
  VIN_LENGTH: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The VIN is not 17 characters after white space and dashes are stripped. Serials from before 1981 are out of scope.',
    fix: 'Send all 17 characters of the VIN.',
    retryable: false,
  },
  YEAR_MISSING: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The record has no year, model_year or modelYear, or it is blank or null.',
    fix: 'Add the 4-digit model year as `year`.',
    retryable: false,
  },
  YEAR_OUT_OF_RANGE: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The model year is not a 4-digit year from 1990 to the current year + 2.',
    fix: 'Send the 4-digit model year, from 1990 to the current year + 2.',
    retryable: false,
  },
  MAKE_MISSING: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The record has no make, Make, manufacturer or brand, or it is blank or null.',
    fix: 'Add the manufacturer as `make`, for example "Freightliner".',
    retryable: false,
  },
  GVWR_BELOW_FLOOR: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'gvwr is present and below 10,001 lb.',
    fix: 'Send the gross vehicle weight rating in pounds (at least 10,001), or leave the vehicle out: Class 1–2 is not listed here.',
    retryable: false,
  },
  BODY_TYPE_BLOCKED: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'body_type is a consumer body: sedan, suv, coupe, crossover, hatchback, convertible, minivan or wagon.',
    fix: 'Leave consumer vehicles out; if it is a truck, send its truck body as `body_type`, for example "box truck".',
    retryable: false,
  },
  CLASS_BELOW_FLOOR: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'class is class_1 or class_2 (2a and 2b included).',
    fix: 'Leave Class 1–2 vehicles out; if the class is wrong, send class_3 to class_8.',
    retryable: false,
  },
  DUAL_USE_QUARANTINED: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'The make also builds consumer vehicles, and the record has neither an explicit truck class nor a GVWR of at least 10,001 lb.',
    fix: 'Add `class` (class_3 to class_8) or `gvwr` (in lb).',
    retryable: false,
  },
  PRICE_INVALID: {
    status: 422,
    stage: 'validate',
    source: 'POST /v1/inventory',
    when: 'price is below 1,000 USD, or an extreme outlier for the vehicle’s age.',
    fix: 'Send the asking price in whole US dollars; for call-for-price send `"price": null`.',
    retryable: false,
  },
  DUPLICATE_DEDUP_HASH: {
    status: 422,
    stage: 'deduplicate',
    source: 'POST /v1/inventory',
    when: 'A hard insert collision on the dedup hash: another request held the same listing for too long. Normally listings merge and this code does not surface.',
    fix: 'Send the record again after a few seconds.',
    retryable: true,
  },
  ENRICH_FAILED: {
    status: 422,
    stage: 'enrich',
    source: 'POST /v1/inventory',
    when: 'Geocoding or quality scoring failed, or, with `wait=images`, an image could not be fetched for a reason that may pass. Nothing was stored for this record.',
    fix: 'Send the record again.',
    retryable: true,
  },
  INDEX_FAILED: {
    status: 422,
    stage: 'index',
    source: 'POST /v1/inventory',
    when: 'The write of the listing and its search document failed. Nothing was stored for this record.',
    fix: 'Send the record again; contact support with the x-request-id if it persists.',
    retryable: true,
  },
  NOT_FOUND: {
    status: 404,
    source: 'GET /v1/inventory/{vin}, PATCH /v1/dealers, and any absent resource or route',
    when: 'No resource of this account matches the VIN, slug or id; or no route matches (405 with Allow when only the method is wrong).',
    fix: 'Check the VIN, slug, id or path.',
    retryable: false,
  },
  ALREADY_CAPTURED: {
    status: 409,
    source: 'widget/lead',
    when: 'A lead was already captured for this conversation.',
    fix: 'Nothing to do: the call is idempotent.',
    retryable: false,
  },
  RATE_LIMITED: {
    status: 429,
    source: 'all endpoints',
    when: 'The key went over its fair-use ceiling, or the address over its limit.',
    fix: 'Wait the seconds in Retry-After, then back off exponentially with jitter.',
    retryable: true,
  },
  CONFIG_ERROR: {
    status: 500,
    source: 'widget/chat',
    when: 'The AI provider of the service is not configured.',
    fix: 'Retry later; the lead form keeps working.',
    retryable: true,
  },
  INTERNAL_ERROR: {
    status: 500,
    source: 'all endpoints',
    when: 'An unexpected server exception, recorded with the request id.',
    fix: 'Retry up to 3 times with exponential backoff; then contact support with the x-request-id.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorEntry>;

interface ErrorEntry {
  readonly status: number;
  readonly source: string;
  readonly when: string;
  readonly fix: string;
  readonly retryable: boolean;
  readonly stage?: StageName;
}

export type ErrorCode = keyof typeof ERRORS;

/** The four stages of the pipeline, in order (contract section 1). */
export const STAGES = ['validate', 'deduplicate', 'enrich', 'index'] as const;
export type StageName = (typeof STAGES)[number];

/** The codes a stage may reject a record with. */
export type StageCode = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { stage: StageName } ? Code : never;
}[ErrorCode];

/** The codes owned by each stage, derived from the catalogue; `validate` lists them in the contract's order. */
export const STAGE_CODES: Readonly<Record<StageName, readonly StageCode[]>> = {
  validate: codesOf('validate'),
  deduplicate: codesOf('deduplicate'),
  enrich: codesOf('enrich'),
  index: codesOf('index'),
};

function codesOf(stage: StageName): StageCode[] {
  const owned = (code: string): code is StageCode => {
    const entry: ErrorEntry = ERRORS[code as ErrorCode];
    return entry.stage === stage;
  };
  return Object.keys(ERRORS).filter(owned);
}

export function stageOf(code: StageCode): StageName {
  return ERRORS[code].stage;
}

/** Where a code is explained; relative to the service's own origin. */
export function docUrl(code: ErrorCode): string {
  return `/docs/errors/${code}.html`;
}

/** JSON object that rides in `error.details`. */
export type Details = Record<string, unknown>;

/**
 * The caller's mistake (or a refusal) as an exception: `serve` turns it into the contract's envelope.
 * Anything else that is thrown is a bug or an outage and becomes INTERNAL_ERROR.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Details | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].when,
    options: { details?: Details; headers?: Record<string, string>; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** The error envelope of contract section 2. */
export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string; details?: Details };
}

export function envelopeOf(code: ErrorCode, message: string, details?: Details): ErrorEnvelope {
  return { error: details === undefined ? { code, message } : { code, message, details } };
}
