import type { TruckFields } from '../../contract/record/record.ts';
import { canonicalPlace } from '../place/place.ts';
import { cleanLine, cut, grouped } from '../text/text.ts';
import { canonicalBody, isTruckBody, readBody } from '../vocabulary/body.ts';
import { isExplicitTruck } from '../vocabulary/dual-use.ts';
import { canonicalMake, type MakeHints } from '../vocabulary/make.ts';
import { canonicalFuel, canonicalModel, readCondition } from '../vocabulary/resolve.ts';
import { readWeightClass, truckClass, weightClassFor } from '../vocabulary/weight-class.ts';
import { readAttributes } from './attributes.ts';
import type { MergedTruck } from './truck.ts';
import { unreadable, type Warning, warn } from './warn.ts';

/** What a truck's own data say about an ambiguous make. */
export function makeHints(vin: string, fields: Partial<TruckFields>): MakeHints {
  const { year = null, body_type: body = null, gvwr = null } = fields;
  const weightClass = readWeightClass(fields.class);
  return {
    vin,
    year,
    isTruck: isExplicitTruck(weightClass, gvwr) || (body !== null && isTruckBody(body)),
  };
}

/**
 * The truck with canonical names of make, model, class, body, condition and fuel, a canonical place, and attributes
 * within their bounds. Idempotent: what is canonical stays, and warns of nothing but what it still disagrees in.
 */
export function canonicalTruck(truck: MergedTruck): { truck: MergedTruck; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const fields = { ...truck.fields };
  fields.class = canonicalClass(truck.fields, warnings);
  fields.condition = canonicalCondition(truck.fields, warnings);
  if (fields.body_type !== null) fields.body_type = canonicalBody(fields.body_type);
  fields.body_type = withCab(fields);
  if (isOutdatedDescription(fields)) fields.body_description = null;
  if (fields.fuel_type !== null) fields.fuel_type = canonicalFuel(fields.fuel_type);
  if (fields.make !== null) {
    const { make, corrected, rest } = canonicalMake(fields.make, makeHints(truck.vin, fields));
    fields.model ??= rest ?? null;
    if (corrected) warnings.push(warn('MAKE_CORRECTED', { sent: fields.make, make }));
    fields.make = make;
    if (fields.model !== null) fields.model = canonicalModel(fields.model, make);
  }
  const { attributes, dropped } = readAttributes(Object.entries(truck.attributes));
  if (dropped.length > 0) warnings.push(attributesDropped(dropped));
  return { truck: { ...truck, fields, place: canonicalPlace(truck.place), attributes }, warnings };
}

/** A tractor whose cab is known is the tractor with this cab. */
function withCab({ body_type, cab }: TruckFields): string | null {
  if (body_type !== 'tractor' || cab === null) return body_type;
  const { body } = readBody(cab);
  return body === 'sleeper_tractor' || body === 'day_cab_tractor' ? body : body_type;
}

/** The words of a body that the truck no longer has. */
function isOutdatedDescription({ body_type, body_description }: TruckFields): boolean {
  if (body_type === null || body_description === null) return false;
  const { body } = readBody(body_description);
  return body !== null && body !== body_type && !(body === 'tractor' && body_type.endsWith('_tractor'));
}

/** Says which unknown fields were not kept, a few of them by name. */
export function attributesDropped(dropped: readonly string[]): Warning {
  const named = dropped.slice(0, 5).map((key) => `"${cut(cleanLine(key.slice(0, 200)), 40)}"`);
  const rest = dropped.length - named.length;
  return warn('ATTRIBUTES_DROPPED', { names: named.join(', ') + (rest > 0 ? ` and ${rest} more` : '') });
}

function canonicalClass({ class: sent, gvwr }: TruckFields, warnings: Warning[]): string | null {
  const weightClass = readWeightClass(sent);
  const name = weightClass === null ? null : truckClass(weightClass);
  const byWeight = gvwr === null ? null : weightClassFor(gvwr);
  if (sent !== null && name === null) {
    warnings.push(unreadable('class', sent, 'a weight class from class_3 to class_8'));
  } else if (name !== null && byWeight !== null && byWeight !== weightClass) {
    warnings.push(
      warn('CLASS_GVWR_MISMATCH', { class: String(weightClass), gvwr: grouped(gvwr ?? 0), byWeight }),
    );
  }
  return name;
}

function canonicalCondition({ condition }: TruckFields, warnings: Warning[]): string | null {
  if (condition === null) return null;
  const read = readCondition(condition);
  if (read === null) warnings.push(unreadable('condition', condition, 'new or used'));
  return read;
}
