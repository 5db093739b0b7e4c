/** Rejects of a record; what `validate` rejects has to be corrected, what a later stage does may be sent again. */
const validate = { status: 422, stage: 'validate', source: 'POST /v1/inventory', retryable: false } as const;
const retryable = <Stage extends string>(stage: Stage) =>
  ({ status: 422, stage, source: 'POST /v1/inventory', retryable: true }) as const;

/**
 * The error catalogue: every code of the contract (section 7), once. The envelope, the OpenAPI document, the
 * error pages and the generated tests all read this table; nothing else may invent a code.
 *
 * - `status`: the HTTP status the code is answered with (a pipeline code: the status of the single-record answer).
 * - `stage`: the pipeline stage that owns the code; such a code stands in `details.stages`, or in a batch result.
 * - `causes`: where it usually comes from, as Markdown for the docs.
 * - `retryable`: may the very same request succeed later?
 */
export const ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    source: 'all endpoints',
    when: 'The Bearer token is missing, malformed, unknown, revoked or expired, or its account is suspended.',
    fix: 'Send `Authorization: Bearer <key>` with an active key; make a new key in the account dashboard’s settings.',
    causes: [
      'The header is missing, or it says `Basic` or `Token` instead of `Bearer`.',
      'The key was cut when it was copied. A key ends in a checksum, so one lost character is enough.',
      'The key was revoked. It is refused within five seconds.',
      'The key has expired: it was made with an `expires_at`.',
      'The account is suspended (`details.reason` is `account_suspended`).',
      '`details.reason` is `token_missing` for a missing token and `token_rejected` for a refused one.',
    ],
    retryable: false,
  },
  FORBIDDEN: {
    status: 403,
    source: 'widget/*',
    when: 'The key is valid but may not use this resource: another account owns it, the key lacks a scope or dealer, or a publishable key was used outside the widget routes; on widget routes, the Origin is not on the key’s list, or a secret key came from a browser.',
    fix: 'Use a key of the account that owns the resource, and a secret key outside the widget routes.',
    causes: [
      'A publishable key (`ctis_wk_live_…`) was used where a secret key (`ctis_sk_live_…`) belongs.',
      'On widget routes: the dealer belongs to another account, or the page’s origin is not on the key’s list.',
    ],
    retryable: false,
  },
  TIER_RESTRICTED: {
    status: 403,
    source: 'widget/chat, market-data',
    when: 'The account’s tier is below Pro.',
    fix: 'Upgrade the account to Pro or Enterprise.',
    causes: ['The account is on the Starter tier.'],
    retryable: false,
  },
  VALIDATION_ERROR: {
    status: 400,
    source: 'POST /v1/inventory',
    when: 'The root body fails the schema: it is not a JSON object, `records` is not an array, or the body is over 4 MiB.',
    fix: 'Send one JSON object: a single record, or `{ "records": [ … ] }`.',
    causes: [
      'The body is not valid JSON: a trailing comma, a missing quote, a file sent as a form.',
      '`records` is an object, or text, instead of a list.',
      'The body is over 4 MiB, or nested deeper than 32 levels.',
      'An `Idempotency-Key` was used before with another request.',
    ],
    retryable: false,
  },
  BATCH_TOO_LARGE: {
    status: 400,
    source: 'POST and PATCH /v1/inventory',
    when: '`records` has more than 500 items. No record was processed.',
    fix: 'Split the batch into requests of at most 500 records.',
    causes: ['A whole feed was sent as one request.'],
    retryable: false,
  },
  INVALID_PAYLOAD: {
    status: 400,
    source: 'POST and PATCH /v1/inventory, POST and PATCH /v1/dealers, and the service’s own routes',
    when: 'The body is not the JSON object the route asks for, or a required top-level field is missing or malformed: vin (inventory), slug (dealers), slug and name (dealer create).',
    fix: 'Add or correct the field named in `details.field`.',
    causes: [
      'A required field is missing: `vin` (inventory), `slug` (dealers), `slug` and `name` (a new dealer).',
      'A slug with upper case, spaces or underscores.',
      'The body is not a JSON object.',
      'An `Idempotency-Key` was used before with another request.',
      'The URL of a feed or webhook is not https (or sftp), not public, or on another port (`url_refused`, `address_refused`).',
      'The account has as many listings as its tier allows (`too_many_listings`), or one holds more than 32 KiB (`listing_too_large`). In a batch only that record is rejected.',
    ],
    retryable: false,
  },
  INVALID_VIN: {
    status: 400,
    source: 'GET /v1/inventory/{vin}',
    when: 'The VIN in the path is not exactly 17 characters.',
    fix: 'Send the 17 characters of the VIN, without spaces or hyphens.',
    causes: [
      'Spaces or hyphens were left in the VIN. A path takes the bare 17 characters.',
      'A stock number was sent instead of the VIN.',
    ],
    retryable: false,
  },
  INVALID_STATUS: {
    status: 400,
    source: 'PATCH /v1/inventory, and POST of vin and status alone',
    when: '`status` is missing or not one of `sold`, `delisted` (POST also allows `available`).',
    fix: 'Send `"status": "sold"` or `"status": "delisted"`. To list the truck again, POST it with `"status": "available"`; POST changes other fields, too.',
    causes: [
      'A price or another field was sent to the route that changes the status only. Use `POST` for those.',
      'A status of your own system, such as `in_stock` or `pending`.',
      '`available` was sent with PATCH. Send it with POST.',
    ],
    retryable: false,
  },
  INVALID_BODY: {
    status: 400,
    source: 'widget/*',
    when: 'The body is not valid JSON or lacks a required widget parameter (message, dealerSlug, visitorId).',
    fix: 'Send a JSON object with message, dealerSlug and visitorId.',
    causes: ['The widget’s request lacks `message`, `dealerSlug` or `visitorId`.'],
    retryable: false,
  },
  INVALID_PARAMS: {
    status: 400,
    source: 'market-data, widget/lead, and query or path parameters of the service’s own routes',
    when: 'A parameter, or a field of a lead, is invalid.',
    fix: 'Correct the parameter named in `details.field`.',
    causes: [
      'A value outside its range, such as `limit=0`.',
      'A `cursor` that did not come from this service.',
      '`dry_run` that is neither `true` nor `false`.',
    ],
    retryable: false,
  },
  PIPELINE_FAILED: {
    status: 422,
    source: 'POST /v1/inventory, single record',
    when: 'A pipeline stage rejected the record; `details.stages` names the stage and holds its code.',
    fix: 'Follow `details.fix`, then send the record again.',
    causes: [
      'The record broke a rule of **validate**: see the code under `details.stages.validate`.',
      'A later stage failed: `deduplicate`, `enrich` or `index`. Then `details.retryable` is `true`.',
      '`details.issues` lists every broken rule, so that one round of corrections is enough.',
    ],
    retryable: false,
  },
  VIN_MISSING: {
    ...validate,
    when: 'The record has no vin, VIN or vehicle_identification_number, or it is blank, null or one character seventeen times.',
    fix: 'Add the 17-character VIN as `vin`.',
    causes: [
      'The column of your export is named differently. Accepted are `vin`, `VIN` and `vehicle_identification_number`.',
      'The truck has no VIN yet, for example because it is on order. Send it when it has one.',
    ],
  },
  VIN_LENGTH: {
    ...validate,
    when: 'The VIN is not 17 characters after white space and dashes are stripped. Serials from before 1981 are out of scope.',
    fix: 'Send all 17 characters of the VIN.',
    causes: [
      'A character was lost, often a leading zero in a spreadsheet.',
      'The VIN was sent as a JSON number, which cannot keep 17 digits.',
      'The VIN of a truck built before 1981, which is shorter. Such trucks are not listed.',
    ],
  },
  YEAR_MISSING: {
    ...validate,
    when: 'The record has no year, model_year or modelYear, or it is blank or null.',
    fix: 'Add the 4-digit model year as `year`.',
    causes: [
      'The column of your export is named differently. Accepted are `year`, `model_year` and `modelYear`.',
    ],
  },
  YEAR_OUT_OF_RANGE: {
    ...validate,
    when: 'The model year is not a 4-digit year from 1990 to the current year + 2.',
    fix: 'Send the 4-digit model year, from 1990 to the current year + 2.',
    causes: [
      'A two-digit year, such as `19`.',
      'A placeholder of your system, such as `0` or `1900`.',
      'A truck from before 1990. Such trucks are not listed.',
    ],
  },
  MAKE_MISSING: {
    ...validate,
    when: 'The record has no make, Make, manufacturer or brand, or it is blank or null.',
    fix: 'Add the manufacturer as `make`, for example "Freightliner".',
    causes: [
      'The column of your export is named differently. Accepted are `make`, `Make`, `manufacturer` and `brand`.',
      'Make and model stand in one field. Send them apart.',
    ],
  },
  GVWR_BELOW_FLOOR: {
    ...validate,
    when: 'gvwr is present and below 10,001 lb.',
    fix: 'Send the gross vehicle weight rating in pounds (at least 10,001), or leave the vehicle out: Class 1–2 is not listed here.',
    causes: [
      'Curb weight, or payload, was sent as the gross rating.',
      'A light truck: Class 1 and 2 are not listed here.',
      'A weight in kilograms without its unit. Numbers without a unit are pounds; `"11800 kg"` is read as kilograms.',
    ],
  },
  BODY_TYPE_BLOCKED: {
    ...validate,
    when: 'body_type is a consumer body: sedan, suv, coupe, crossover, hatchback, convertible, minivan or wagon.',
    fix: 'Leave consumer vehicles out; if it is a truck, send its truck body as `body_type`, for example "box truck".',
    causes: [
      'A car dealer’s system has no name for a truck body. Send the truck body, such as `step van` or `box truck`.',
      'A car, or an SUV, got into the export.',
    ],
  },
  CLASS_BELOW_FLOOR: {
    ...validate,
    when: 'class is class_1 or class_2 (2a and 2b included).',
    fix: 'Leave Class 1–2 vehicles out; if the class is wrong, send class_3 to class_8.',
    causes: [
      'A pickup or van of Class 1 or 2, 2a and 2b included.',
      'A class of another scheme in the same column.',
    ],
  },
  DUAL_USE_QUARANTINED: {
    ...validate,
    when: 'The make also builds consumer vehicles, and the record has neither an explicit truck class nor a GVWR of at least 10,001 lb.',
    fix: 'Add `class` (class_3 to class_8) or `gvwr` (in lb).',
    causes: [
      'Ford, Chevrolet, GMC, Ram and Dodge build cars and light pickups too. For these makes, the record itself must say that it is a truck.',
      '`class` or `gvwr` is in the export but unreadable; `fix` says so.',
    ],
  },
  PRICE_INVALID: {
    ...validate,
    when: 'price is below 1,000, or an extreme outlier for the vehicle’s age.',
    fix: 'Send the asking price in whole dollars or pesos; for call-for-price send `"price": null`.',
    causes: [
      'A placeholder for “call for price”, such as `0` or `1`. Send `null`.',
      'Cents instead of dollars, or thousands instead of dollars.',
      'A price far outside the range of trucks of that age. `fix` states the bounds.',
    ],
  },
  DUPLICATE_DEDUP_HASH: {
    ...retryable('deduplicate'),
    when: 'A hard insert collision on the dedup hash: another request locked the same listing for too long. Normally listings merge and this code does not occur.',
    fix: 'Send the record again after a few seconds.',
    causes: [
      'Two uploads of the same truck ran at the same moment, and one locked the listing for more than five seconds.',
      'On a [test account](../limits.md#test-accounts), the VIN `TEST0000000000003`.',
    ],
  },
  ENRICH_FAILED: {
    ...retryable('enrich'),
    when: 'Geocoding or quality scoring failed. Nothing was stored for this record.',
    fix: 'Send the record again.',
    causes: [
      'A temporary fault of the geocoder or another part that enrichment uses.',
      'On a [test account](../limits.md#test-accounts), the VIN `TEST0000000000001`.',
    ],
  },
  INDEX_FAILED: {
    ...retryable('index'),
    when: 'The write of the listing and its search document failed. Nothing was stored for this record.',
    fix: 'Send the record again; contact support with the x-request-id if it persists.',
    causes: [
      'The store refused this one record. The other records of the batch are not affected.',
      'On a [test account](../limits.md#test-accounts), the VIN `TEST0000000000002`.',
    ],
  },
  NOT_FOUND: {
    status: 404,
    source: 'GET /v1/inventory/{vin}, PATCH /v1/dealers, and any absent resource or route',
    when: 'No resource of this account matches the VIN, slug or id; or no route matches (405 with Allow when only the method is wrong).',
    fix: 'Check the VIN, slug, id or path.',
    causes: [
      'The truck was never posted to this account, or under another VIN.',
      'The dealer’s slug is misspelled.',
      'The path is misspelled. With status 405, only the method is wrong, and `Allow` names the right ones.',
    ],
    retryable: false,
  },
  ALREADY_CAPTURED: {
    status: 409,
    source: 'widget/lead',
    when: 'A lead was already captured for this conversation.',
    fix: 'Nothing to do: the call is idempotent.',
    causes: ['The visitor sent the form twice.'],
    retryable: false,
  },
  RATE_LIMITED: {
    status: 429,
    source: 'all endpoints',
    when: 'The key or the address went over its limit.',
    fix: 'Wait the seconds in Retry-After, then back off exponentially with jitter.',
    causes: [
      'Trucks are sent one by one. Batches of 500 allow 5,000 a minute.',
      'Several programs share one key. Ceilings count per key.',
      'More than 300 failed authentications a minute from one address.',
      'On a [test account](../limits.md#test-accounts), the VIN `TEST0000000000005`.',
    ],
    retryable: true,
  },
  CONFIG_ERROR: {
    status: 500,
    source: 'widget/chat',
    when: 'The AI provider of the service is not configured.',
    fix: 'Retry later; the lead form keeps working.',
    causes: ['The service runs without an AI provider.'],
    retryable: true,
  },
  INTERNAL_ERROR: {
    status: 500,
    source: 'all endpoints',
    when: 'An unexpected server exception, recorded with the request id.',
    fix: 'Retry up to 3 times with exponential backoff; then contact support with the x-request-id.',
    causes: [
      'A part of the service, such as its database, is temporarily unavailable.',
      'A bug in the service. It is logged with the request id.',
      'On a [test account](../limits.md#test-accounts), the VIN `TEST0000000000004`.',
    ],
    retryable: true,
  },
} as const satisfies Record<string, ErrorEntry>;

interface ErrorEntry {
  readonly status: number;
  readonly source: string;
  readonly when: string;
  readonly fix: string;
  readonly causes: readonly string[];
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

/** Why a record is rejected: by a rule of a stage, or beyond what its account may store. */
export type RejectCode = StageCode | 'INVALID_PAYLOAD';

/** The codes owned by each stage, derived from the catalogue; `validate` lists them in the contract's order. */
export const STAGE_CODES: Readonly<Record<StageName, readonly StageCode[]>> = {
  validate: codesWith('validate'),
  deduplicate: codesWith('deduplicate'),
  enrich: codesWith('enrich'),
  index: codesWith('index'),
};

function codesWith(stage: StageName): StageCode[] {
  const isOwned = (code: string): code is StageCode => findStage(code as ErrorCode) === stage;
  return Object.keys(ERRORS).filter(isOwned);
}

/** The stage that owns the code; null for a code of a whole request. */
export function findStage(code: ErrorCode): StageName | null {
  const entry: ErrorEntry = ERRORS[code];
  return entry.stage ?? null;
}

/**
 * Tokens of `details.reason` with what to do about each; null where the code's own fix says it. A refusal that names no
 * reason has its code in lower case.
 */
export const REASONS = {
  token_missing: 'Send `Authorization: Bearer <key>`.',
  token_rejected: 'Check that the whole key was copied, and that it was not revoked and has not expired.',
  account_suspended: 'Contact support.',
  publishable_key: 'Use a secret key (`ctis_sk_live_…`) outside the widget routes.',
  secret_key_in_browser:
    'Revoke this key: it is public now. Put a publishable key (`ctis_wk_live_…`) on the page.',
  origin_missing: 'Use a publishable key only from a web page; use a secret key on a server.',
  origin_not_listed: 'Add the page’s origin to the key’s allowed_origins.',
  scope_missing: 'Use a key that has the scope in `scope`, or create one.',
  dealer_key: 'Use a key for the whole account.',
  not_yours: 'Send the slug of one of the account’s dealers.',
  over_limit: null,
  visit_missing:
    'Send the `visit` from the first answer of GET /v1/widget/inventory for this visitor and dealer.',
  daily_tokens_used: 'Offer the lead form; chat is available again after midnight UTC.',
  bot: null,
  too_many_values: 'Send fewer members and values; split the batch.',
  secrets_not_configured: 'Contact support: the service has no key to encrypt secrets with.',
  unknown_token: 'Use the link of the newest mail.',
  method_not_allowed: 'Use one of the methods in Allow.',
  empty_body: 'Send a JSON object.',
  invalid_json: 'Send valid JSON.',
  too_deep: 'Nest at most 32 levels.',
  body_too_large: 'Send at most 4 MiB; gzip the body, or split it into several requests.',
  unpacked_too_large: 'Send at most 16 MiB of unpacked JSON; split it into several requests.',
  unsupported_encoding: 'Send the body uncompressed, or with Content-Encoding: gzip.',
  invalid_gzip: 'Send the body as one complete gzip stream, or leave Content-Encoding out.',
  not_utf8: 'Encode the body as UTF-8.',
  missing: null,
  wrong_type: null,
  out_of_range: null,
  malformed: null,
  not_allowed: null,
  conflicting: null,
  unknown_parameter: 'Leave the parameter out, or correct its name.',
  unknown_field: 'Leave the field out, or correct its name.',
  too_many_keys: 'Revoke a key that is no longer used, or ask for a higher tier.',
  too_many_dealers: 'Remove a dealer that is no longer needed, or ask for a higher tier.',
  too_many_listings:
    'Delist trucks that are gone, or ask for a higher tier. Listed trucks can still be changed.',
  listing_too_large: null,
  too_many_records: null,
  reused_with_another_request: 'Use a new Idempotency-Key for another request.',
  in_use: 'Assign its trucks and feeds to another dealer first, or erase them.',
  not_held: 'Only a run with status held can be released or refused.',
} as const satisfies Record<string, string | null>;

export type Reason = keyof typeof REASONS;

/** What a token without a fix of its own means: `details.fix` says what to send in each case. */
export const REASON_MEANINGS = {
  missing: 'The field is required and not there.',
  wrong_type: 'The value is of another JSON type than the field’s, such as a number where text is due.',
  out_of_range: 'The value is too small or too large, too short or too long.',
  malformed: 'The value has the right type but the wrong format.',
  not_allowed: 'The value is none of those that the field may have here.',
  conflicting: 'The value contradicts another one of the request.',
  over_limit: 'Too many calls; `Retry-After` says how long to wait.',
  bot: 'The caller looks like a robot.',
  listing_too_large: 'The listing would hold more than 32 KiB of JSON; `field` is its largest member.',
  too_many_records: 'The batch has more records than a request may have.',
} as const satisfies Record<ReasonWithoutFix, string>;

type ReasonWithoutFix = { [Name in Reason]: (typeof REASONS)[Name] extends null ? Name : never }[Reason];

/** Where a code is explained; relative to the service's own origin. */
export function docUrl(code: ErrorCode): string {
  return `/docs/errors/${code}.html`;
}

/** `error.details`: the same shape on every refusal, and beside it what only some of them have. */
export interface Details {
  /** A token to branch on: of REASONS, a feed's fault, or the code in lower case. */
  reason: string;
  /** What to change, in one sentence. */
  fix: string;
  doc_url: string;
  retryable: boolean;
  field?: string;
  /** The value as received, shortened. */
  received?: unknown;
  issues?: readonly object[];
  [more: string]: unknown;
}

/**
 * The caller's mistake (or a refusal) as an exception: `serve` turns it into the contract's envelope.
 * Anything else that is thrown is a bug or an outage and becomes INTERNAL_ERROR.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Partial<Details>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].when,
    options: {
      details?: Partial<Details>;
      headers?: Record<string, string>;
      status?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The error envelope of contract section 2. */
export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string; details: Details };
}

/** `origin`: where the service is reached, for the link to the code's page. */
export function toEnvelope(
  { code, message, details }: Pick<ApiError, 'code' | 'message' | 'details'>,
  origin: string,
): ErrorEnvelope {
  const { reason = code.toLowerCase(), fix = fixFor(code, reason), ...more } = details;
  const { retryable } = ERRORS[code];
  return {
    error: { code, message, details: { reason, fix, retryable, doc_url: origin + docUrl(code), ...more } },
  };
}

function fixFor(code: ErrorCode, reason: string): string {
  return (Object.hasOwn(REASONS, reason) && REASONS[reason as Reason]) || ERRORS[code].fix;
}
