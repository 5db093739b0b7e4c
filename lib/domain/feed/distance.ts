/** Units of odometers, as names of columns and values of units say them. */

export type DistanceUnit = 'mi' | 'km';

const KILOMETERS = /kil[oó]m[eéè]t|kms?$|^kms?/;
const MILES = /miles?$|^miles|millas|milles|odometermi$/;

/** `Kms`, `Odometer (km)`, `Kilometraje`, `Miles`: null where a name says no unit. */
export function distanceUnitIn(name: string): DistanceUnit | null {
  const plain = name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (KILOMETERS.test(plain)) return 'km';
  return MILES.test(plain) ? 'mi' : null;
}

/** A distance with the unit that its column's name says, where the value says none itself. */
export function addUnit(name: string, value: unknown): unknown {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const unit = /^\d[\d.,\s]*k?[+*]*$/i.test(text) ? distanceUnitIn(name) : null;
  return unit === null ? value : `${text} ${unit}`;
}
