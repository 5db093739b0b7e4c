import { LIMITS } from '../fields.ts';
import { foldKey } from '../text/text.ts';
import { canonicalMake, findFirstMake } from './make.ts';

/** Resolves aliases of the makes in the setting, and folds them for comparison. */
export function toDualUseSet(makes: readonly string[]): ReadonlySet<string> {
  return new Set(makes.map((make) => foldKey(canonicalMake(make).make)));
}

/** Manufacturers in the setting, by the beginnings of their VINs (SAE world manufacturer identifiers). */
const VIN_BEGINNINGS: readonly (readonly [make: string, pattern: RegExp])[] = [
  ['Ford', /^(?:[123]F[ABCDMT]|3FR|3FE|MAJ|NM0)/],
  ['Chevrolet', /^[123]G[1ABCN]/],
  ['GMC', /^[123]G[DKTJ]/],
  ['Ram', /^[123]C[3-8]/],
  ['Dodge', /^[123][BD][3-8]/],
];

/**
 * Finds the dual-use manufacturer of a record: by its make, by its model if the make is unknown, or by the VIN's
 * identifier. Null if it has none.
 */
export function findDualUseMake(
  { make, model }: { make: string; model: string | null },
  vin: string,
  dualUse: ReadonlySet<string>,
): string | null {
  const byName = findFirstMake(make, vin) ?? findFirstMake(model ?? '', vin);
  const [byVin] = VIN_BEGINNINGS.find(([, pattern]) => pattern.test(vin)) ?? [];
  return [byName, make, byVin].find((name) => name != null && dualUse.has(foldKey(name))) ?? null;
}

/** Contract section 7: an explicit truck class, or a GVWR of at least 10,001 lb. */
export function isExplicitTruck(weightClass: number | null, gvwr: number | null): boolean {
  return (weightClass !== null && weightClass >= 3) || (gvwr !== null && gvwr >= LIMITS.gvwrFloor);
}
