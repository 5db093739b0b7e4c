import type { TruckFields } from '../record/record.ts';
import { cleanLine, cut, groupDigits } from '../text/text.ts';
import { canonicalBody, readBody } from '../vocabulary/body.ts';
import { canonicalMake, findFirstMake, isKnownMake } from '../vocabulary/make.ts';
import { canonicalModel } from '../vocabulary/model.ts';
import { canonicalFuel, findRearWheels } from '../vocabulary/resolve.ts';
import { findWeightClass, readWeightClass, toTruckClass } from '../vocabulary/weight-class.ts';
import { readAttributes } from './attributes.ts';
import type { MergedTruck } from './truck.ts';
import { type Warning, warn, warnUnreadable } from './warn.ts';

/**
 * Returns the truck with canonical make, model, class, body, condition and fuel, and attributes within their limits.
 * Idempotent: a canonical truck stays the same and only warns of contradictions that remain.
 */
export function toCanonicalTruck(truck: MergedTruck): { truck: MergedTruck; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const fields = { ...truck.fields };
  fields.class = readCanonicalClass(truck.fields, warnings);
  leaveOutZeroMiles(fields, warnings);
  if (fields.body_type !== null) fields.body_type = canonicalBody(fields.body_type);
  fields.body_type = withCab(fields);
  if (isOutdatedDescription(fields)) fields.body_description = null;
  if (fields.fuel_type !== null) fields.fuel_type = canonicalFuel(fields.fuel_type);
  // The canonical model no longer names the wheels.
  fields.rear_wheels ??= findRearWheels([fields.model, fields.trim]);
  if (fields.make !== null) {
    const { make, corrected, rest } = canonicalMake(fields.make, truck.vin);
    joinModel(fields, rest);
    if (corrected) warnings.push(warn('MAKE_CORRECTED', { sent: fields.make, make }));
    fields.make = make;
    if (fields.model !== null) fields.model = canonicalModel(fields.model, make);
  }
  const { attributes, dropped } = readAttributes(Object.entries(truck.attributes));
  if (dropped.length > 0) warnings.push(warnOfDroppedAttributes(dropped));
  return { truck: { ...truck, fields, attributes }, warnings };
}

/** Moves a model from the make's field (`Ford F-550`) to the model's, which may hold only the trim (`XL`) or a number. */
function joinModel(fields: TruckFields, rest: string | undefined): void {
  const { model } = fields;
  if (rest === undefined || model === rest) return;
  const second = canonicalMake(rest);
  // The rest may be another make, as in `Volvo/GMC`.
  if (second.rest === undefined && isKnownMake(second.make)) return;
  if (model === null) fields.model = rest;
  else if (/^\d+$/.test(model) && !/\d/.test(rest)) fields.model = `${rest} ${model}`;
  else if (!/\d/.test(model) && findFirstMake(model) === null) {
    fields.model = rest;
    fields.trim ??= model;
  }
}

/** Returns the kind of tractor that the cab implies. */
function withCab({ body_type, cab }: TruckFields): string | null {
  if (body_type !== 'tractor' || cab === null) return body_type;
  const { body } = readBody(cab);
  return body === 'sleeper_tractor' || body === 'day_cab_tractor' ? body : body_type;
}

/** True if the description is of a body that the truck no longer has. */
function isOutdatedDescription({ body_type, body_description }: TruckFields): boolean {
  if (body_type === null || body_description === null) return false;
  const { body } = readBody(body_description);
  return body !== null && body !== body_type && !(body === 'tractor' && body_type.endsWith('_tractor'));
}

/** Warns of attributes that were not kept, naming a few. */
export function warnOfDroppedAttributes(dropped: readonly string[]): Warning {
  const names = dropped.slice(0, 5).map((key) => `"${cut(cleanLine(key.slice(0, 200)), 40)}"`);
  const rest = dropped.length - names.length;
  return warn('ATTRIBUTES_DROPPED', { names: names.join(', ') + (rest > 0 ? ` and ${rest} more` : '') });
}

function readCanonicalClass({ class: recordClass, gvwr }: TruckFields, warnings: Warning[]): string | null {
  const weightClass = readWeightClass(recordClass);
  const byWeight = findWeightClass(gvwr);
  if (weightClass !== null && gvwr !== null && byWeight !== null && byWeight !== weightClass) {
    warnings.push(
      warn('CLASS_GVWR_MISMATCH', { class: String(weightClass), gvwr: groupDigits(gvwr), byWeight }),
    );
  }
  return toTruckClass(weightClass);
}

/** Removes a mileage of 0 from used trucks: systems write 0 for unknown. */
function leaveOutZeroMiles(fields: TruckFields, warnings: Warning[]): void {
  if (fields.condition !== 'used' || fields.mileage !== 0) return;
  warnings.push(warnUnreadable('mileage', fields.mileage, 'the miles of a used truck'));
  fields.mileage = null;
  fields.mileage_unit = null;
}
