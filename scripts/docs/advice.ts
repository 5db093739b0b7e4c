import { ERRORS, type ErrorCode } from '../../lib/errors.ts';

/** What the catalogue's one sentence leaves out: where a code usually comes from, as Markdown. */
export const CAUSES: Readonly<Record<ErrorCode, readonly string[]>> = {
  UNAUTHORIZED: [
    'The header is missing, or it says `Basic` or `Token` instead of `Bearer`.',
    'The key was cut when it was copied. A key ends in a checksum, so one lost character is enough.',
    'The key was revoked. That holds within five seconds, everywhere.',
    'The account is suspended (`details.reason` is `account_suspended`).',
    '`details.reason` tells a missing token (`token_missing`) from a refused one (`token_rejected`).',
  ],
  FORBIDDEN: [
    'A publishable key (`ctis_wk_live_…`) was used where a secret key (`ctis_sk_live_…`) belongs.',
    'On widget routes: the dealer belongs to another seller, or the page’s origin is not on the key’s list.',
  ],
  TIER_RESTRICTED: ['The account is on the Starter tier.'],
  VALIDATION_ERROR: [
    'The body is not valid JSON: a trailing comma, a missing quote, a file sent as a form.',
    '`records` is an object, or text, instead of a list.',
    'The body is over 4 MiB, or nested deeper than 32 levels.',
    'An `Idempotency-Key` was used before with another request.',
  ],
  BATCH_TOO_LARGE: ['A whole feed was sent as one request.'],
  INVALID_PAYLOAD: [
    'A required field is missing: `vin` (inventory), `slug` (dealers), `slug` and `name` (a new dealer).',
    'A slug with upper case, spaces or underscores, or one that another seller holds.',
    'The body is not a JSON object.',
    'An `Idempotency-Key` was used before with another request.',
  ],
  INVALID_VIN: [
    'Spaces or hyphens were left in the VIN. A path takes the bare 17 characters.',
    'A stock number was sent instead of the VIN.',
  ],
  INVALID_STATUS: [
    'A status of your own system, such as `in_stock` or `pending`.',
    '`available`: a truck comes back by posting it again.',
  ],
  INVALID_BODY: ['The widget’s request lacks `message`, `dealerSlug` or `visitorId`.'],
  INVALID_PARAMS: [
    'A value outside its range, such as `limit=1000`.',
    'A `cursor` that this service did not give.',
    '`dry_run` that is neither `true` nor `false`.',
  ],
  PIPELINE_FAILED: [
    'The record broke a rule of **validate**: see the code under `details.stages.validate`.',
    'A later stage failed: `deduplicate`, `enrich` or `index`. Then `details.retryable` is `true`.',
    '`details.issues` lists every broken rule, so that one round of corrections is enough.',
  ],
  VIN_MISSING: [
    'The column of your export is named differently. Accepted are `vin`, `VIN` and `vehicle_identification_number`.',
    'The unit has no VIN yet, as with trucks on order. Send it when it has one.',
  ],
  VIN_LENGTH: [
    'A character was lost, often a leading zero in a spreadsheet.',
    'The VIN of a truck built before 1981, which is shorter. Such trucks are not listed.',
    'Spaces and dashes do no harm: they are stripped first.',
  ],
  YEAR_MISSING: [
    'The column of your export is named differently. Accepted are `year`, `model_year` and `modelYear`.',
  ],
  YEAR_OUT_OF_RANGE: [
    'A two-digit year, such as `19`.',
    'A placeholder of your system, such as `0` or `1900`.',
    'A truck from before 1990. Such trucks are not listed.',
  ],
  MAKE_MISSING: [
    'The column of your export is named differently. Accepted are `make`, `Make`, `manufacturer` and `brand`.',
    'Make and model stand in one field. Send them apart.',
  ],
  GVWR_BELOW_FLOOR: [
    'Curb weight, or payload, was sent as the gross rating.',
    'A light truck: Class 1 and 2 are not listed here.',
    'A weight in kilograms without its unit. Numbers without a unit are pounds; `"11800 kg"` is read as kilograms.',
  ],
  BODY_TYPE_BLOCKED: [
    'A car dealer’s system has no better name for a truck body. Send the truck’s own, such as `step van` or `box truck`.',
    'A car, or an SUV, got into the export.',
  ],
  CLASS_BELOW_FLOOR: [
    'A pickup or van of Class 1 or 2, 2a and 2b included.',
    'A class of another scheme in the same column.',
  ],
  DUAL_USE_QUARANTINED: [
    'Ford, Chevrolet, GMC, Ram and Dodge build cars and light pickups too. For these makes, the record itself must say that it is a truck.',
    '`class` or `gvwr` is in the export but unreadable. Then `fix` says so.',
  ],
  PRICE_INVALID: [
    'A placeholder for “call for price”, such as `0` or `1`. Send `null`.',
    'Cents instead of dollars, or thousands instead of dollars.',
    'A price far outside of what trucks of that age cost. The bounds stand in `fix`.',
  ],
  DUPLICATE_DEDUP_HASH: [
    'Two uploads of the same truck ran at the same moment, and one held the listing for more than five seconds.',
  ],
  ENRICH_FAILED: ['A passing fault of the geocoder, or of another part that enrichment uses.'],
  INDEX_FAILED: ['The store refused this one record. The other records of the batch are not affected.'],
  NOT_FOUND: [
    'The truck was never posted to this account, or under another VIN.',
    'The dealer’s slug is misspelt.',
    'The path is misspelt. With status 405, only the method is wrong, and `Allow` names the right ones.',
  ],
  ALREADY_CAPTURED: ['The visitor sent the form twice.'],
  RATE_LIMITED: [
    'Trucks are sent one by one. In batches of 500, five thousand fit into a minute.',
    'Several programs share one key. Ceilings count per key.',
    'More than 300 failed authentications a minute from one address.',
  ],
  CONFIG_ERROR: ['The service runs without an AI provider.'],
  INTERNAL_ERROR: [
    'A part of the service, such as its database, does not answer for a moment.',
    'A bug of ours. It is on record under the request id.',
  ],
};

/** What a client should do on its own, by the retry rules of the contract; Markdown. */
export function retryAdvice(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code];
  if (code === 'ALREADY_CAPTURED') return 'Nothing to retry: the lead is there.';
  if (code === 'PIPELINE_FAILED')
    return 'Look at `details.retryable`. When it is `false`, correct the record first. When it is `true`, send the same record again after a few seconds.';
  if (status === 429)
    return 'Wait the seconds in `Retry-After`. Without that header: 1 second plus up to 500 ms of random jitter, then twice as long each time, at most 60 seconds. Give up after 5 attempts and log it.';
  if (status >= 500)
    return 'Send the same request again, up to 3 times, with exponential backoff, and not before `Retry-After`. With an `Idempotency-Key`, a write that did get through is not done twice. If it persists, contact support and quote the `x-request-id`.';
  if (retryable)
    return 'Send the same record again after a few seconds. Nothing of it was stored, and repeating it does no harm.';
  return status === 422
    ? 'Do not send the same record again. Correct it first.'
    : 'Do not send the same request again. Correct it first.';
}
