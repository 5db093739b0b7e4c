import { PARTS } from '../truck/record/parts.ts';
import type { RawRecord } from './stage.ts';

/** The VIN of a rejected record as far as it can be read, for the dealer to find it again. */
export function vinAsSent(record: RawRecord): string | null {
  if (typeof record !== 'object' || record === null) return null;
  for (const name of PARTS.vin.names) {
    const value: unknown = Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
    if ((typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '')
      return String(value).toWellFormed().trim().slice(0, 40);
  }
  return null;
}
