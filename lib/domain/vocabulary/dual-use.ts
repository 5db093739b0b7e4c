import { LIMITS } from '../../contract/fields.ts';
import { foldKey } from '../text/text.ts';
import { canonicalMake, type MakeHints } from './make.ts';

const NO_HINTS: MakeHints = { vin: '', year: null, isTruck: true };

/** The makes of the setting, folded for comparison; aliases are resolved. */
export function dualUseSet(makes: readonly string[]): ReadonlySet<string> {
  return new Set(makes.map((make) => foldKey(canonicalMake(make, NO_HINTS).make)));
}

/**
 * True when a canonical make also builds consumer vehicles; a make that carries its model (`FORD F-150`) is judged by
 * its first word.
 */
export function isDualUse(make: string, dualUse: ReadonlySet<string>): boolean {
  if (dualUse.has(foldKey(make))) return true;
  const [first, ...rest] = make.split(/[\s-]+/);
  if (!first || rest.length === 0 || !/\d/.test(rest.join(''))) return false;
  return dualUse.has(foldKey(canonicalMake(first, NO_HINTS).make));
}

/** Contract section 7: an explicit truck class, or a GVWR of at least 10,001 lb. */
export function isExplicitTruck(weightClass: number | null, gvwr: number | null): boolean {
  return (weightClass !== null && weightClass >= 3) || (gvwr !== null && gvwr >= LIMITS.gvwrFloor);
}
