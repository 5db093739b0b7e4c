import { computeCheckDigit } from '../../../lib/domain/vin/vin.ts';

/** Builds VINs as manufacturers do (49 CFR 565): WMI, description, check digit, model year, plant, serial number. */

const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const SERIAL_LETTERS = 'ABCDEFGHJK';

/** Most VINs with different serial numbers. */
export const SERIALS = 1_000_000;

export interface VinPlan {
  /** Positions 1 to 8: the manufacturer (WMI) and the description of the truck. */
  start: string;
  year: number;
  /** Position 11. */
  plant: string;
  /** 0 to 999,999. */
  serial: number;
  /** Two letters open the serial number, as Daimler's plants write it. */
  lettered?: boolean;
}

export function buildVin(plan: VinPlan): string {
  const yearCode = YEAR_CODES.charAt((plan.year - 1980) % YEAR_CODES.length);
  const digits = String(plan.serial % SERIALS).padStart(6, '0');
  const serial = plan.lettered ? lettered(digits) : digits;
  const end = yearCode + plan.plant + serial;
  return plan.start + computeCheckDigit(`${plan.start}0${end}`) + end;
}

function lettered(digits: string): string {
  const [first, second] = digits;
  return SERIAL_LETTERS.charAt(Number(first)) + SERIAL_LETTERS.charAt(Number(second)) + digits.slice(2);
}
