import type { RejectCode } from '../../errors.ts';
import { toTable } from '../../truck/text/table.ts';

/** Why a truck is not listed, as its seller would say it. */

interface Reason {
  title: string;
  why: string;
  /** What to change; where it is absent the API says it. */
  fix?: string;
}

const AGAIN = 'Send it again; nothing is wrong with the truck.';
const REASONS: Readonly<Record<string, Reason>> = toTable({
  VIN_MISSING: {
    title: 'No VIN',
    why: 'Every truck is listed by its VIN.',
    fix: 'Add the VIN of 17 characters.',
  },
  VIN_LENGTH: {
    title: 'VIN is not 17 characters',
    why: 'A character is missing or too many. Trucks from before 1981 have shorter numbers and are not listed here.',
    fix: 'Correct the VIN to 17 characters, without spaces and dashes, one truck a row.',
  },
  YEAR_MISSING: { title: 'No model year', why: 'Buyers search by year.', fix: 'Add the model year.' },
  YEAR_OUT_OF_RANGE: {
    title: 'Model year out of range',
    why: 'The year must have 4 digits, from 1990 to two years from now.',
    fix: 'Correct the model year.',
  },
  MAKE_MISSING: {
    title: 'No make',
    why: 'Buyers search by make, such as Freightliner.',
    fix: 'Add the make.',
  },
  GVWR_BELOW_FLOOR: {
    title: 'Too light',
    why: 'The gross weight is below 10,001 lb. Only class 3 to 8 is listed here.',
    fix: 'Correct the gross weight, or leave the truck out.',
  },
  CLASS_BELOW_FLOOR: {
    title: 'Class 1 or 2',
    why: 'Only class 3 to 8 is listed here.',
    fix: 'Correct the weight class, or leave the truck out.',
  },
  BODY_TYPE_BLOCKED: {
    title: 'A car, not a truck',
    why: 'The body is that of a car. If it is a truck, name its truck body.',
    fix: 'Correct the body, or leave the truck out.',
  },
  DUAL_USE_QUARANTINED: {
    title: 'Weight class needed',
    why: 'This make builds cars, too. With the weight class or the gross weight we know that it is a truck.',
    fix: 'Add the weight class (3 to 8) or the gross weight.',
  },
  PRICE_INVALID: {
    title: 'Price is not believable',
    why: 'It is below $1,000, or far from what such a truck costs.',
    fix: 'Correct the price, or leave it empty for “call for price”.',
  },
  ENRICH_FAILED: { title: 'Failed on our side', why: '', fix: AGAIN },
  INDEX_FAILED: { title: 'Failed on our side', why: '', fix: AGAIN },
  DUPLICATE_DEDUP_HASH: { title: 'Sent twice at the same moment', why: '', fix: AGAIN },
  INVALID_PAYLOAD: {
    title: 'No room for it',
    why: 'The account has as many trucks as its tier allows, or this one holds too much text.',
  },
} satisfies Record<RejectCode, Reason>);

/** `ROW_TOO_LONG` → Row too long: what has no words of its own here. */
export function describeReject(code: string): Reason {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return REASONS[code] ?? { title: words.charAt(0).toUpperCase() + words.slice(1), why: '' };
}

/** What to change, in words for people where there are any. */
export const describeFix = (code: string, fix: string): string => REASONS[code]?.fix ?? fix;
