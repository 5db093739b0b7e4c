import type { RejectCode } from '../../errors.ts';
import { toTable } from '../../truck/text/table.ts';
import { capitalize } from '../../truck/text/text.ts';

/** Why a truck was rejected, as its seller would say it: what is wrong, and what to change. */
const AGAIN = 'Send it again; nothing is wrong with the truck.';
const REASONS: Readonly<Record<string, readonly [title: string, fix?: string]>> = toTable({
  VIN_MISSING: ['No VIN', 'Add the VIN of 17 characters.'],
  VIN_LENGTH: [
    'VIN is not 17 characters',
    'Correct the VIN to 17 characters, without spaces and dashes, one truck a row.',
  ],
  YEAR_MISSING: ['No model year', 'Add the model year.'],
  YEAR_OUT_OF_RANGE: [
    'Model year out of range',
    'Correct the model year: 4 digits, from 1990 to two years from now.',
  ],
  MAKE_MISSING: ['No make', 'Add the make, such as Freightliner.'],
  GVWR_BELOW_FLOOR: [
    'Too light: only class 3 to 8 is listed',
    'Correct the gross weight, or leave the truck out.',
  ],
  CLASS_BELOW_FLOOR: [
    'Class 1 or 2: only class 3 to 8 is listed',
    'Correct the weight class, or leave the truck out.',
  ],
  BODY_TYPE_BLOCKED: ['A car, not a truck', 'Correct the body, or leave the truck out.'],
  DUAL_USE_QUARANTINED: [
    'Weight class needed: this make builds cars, too',
    'Add the weight class (3 to 8) or the gross weight.',
  ],
  PRICE_INVALID: ['Price is not believable', 'Correct the price, or leave it empty for “call for price”.'],
  ENRICH_FAILED: ['Failed on our side', AGAIN],
  INDEX_FAILED: ['Failed on our side', AGAIN],
  DUPLICATE_DEDUP_HASH: ['Sent twice at the same moment', AGAIN],
  INVALID_PAYLOAD: ['Over a limit'],
  // A warning: its own words are for programs.
  DEALER_AMBIGUOUS: ['No dealer', 'Choose the dealer under Trucks of, or set a column to Dealer.'],
} satisfies Record<RejectCode | 'DEALER_AMBIGUOUS', readonly [string, string?]>);

/** `ROW_TOO_LARGE` → Row too large: codes without words here. */
export function describeReject(code: string): string {
  return REASONS[code]?.[0] ?? capitalize(code.toLowerCase().replaceAll('_', ' '));
}

/** What to change, in words for people where there are any. */
export const describeFix = (code: string, fix: string): string => REASONS[code]?.[1] ?? fix;
