import type { ListingDoc } from '../listing/truck.ts';
import { once } from '../text/remember.ts';
import { IDENTIFIERS } from './identifiers.ts';

/** Vehicles that are no trucks of Class 3 or above by their VINs. */

/** Makers of construction and farm machines, whose serial numbers have 17 characters too. */
const MACHINES = 'CAT 1T0 1FF 1LV VCE HCM N8A';
const KIND_BY_IDENTIFIER = once(
  () =>
    new Map(
      [...IDENTIFIERS, ['machine', MACHINES] as const].flatMap(([kind, text]) =>
        text
          .trim()
          .split(/\s+/)
          .map((identifier) => [identifier, kind] as const),
      ),
    ),
);

/** Returns the kind of vehicle of a VIN that is no truck of Class 3 or above; null if it may be one. */
export function findOtherVehicle({
  vin,
  vin_facts: facts,
}: Pick<ListingDoc, 'vin' | 'vin_facts'>): string | null {
  if (facts.check_digit === 'invalid') return null;
  if (facts.vehicle_type === 'passenger_car') return 'passenger car';
  const { truck_class: weightClass } = facts;
  if (weightClass === 'class_1' || weightClass === 'class_2')
    return `vehicle of ${weightClass.replace('class_', 'Class ')}`;
  return facts.vehicle_type === null ? (KIND_BY_IDENTIFIER().get(vin.slice(0, 3)) ?? null) : null;
}

/** True if the VIN is no truck's and the dealer sent neither class nor weight. */
export function isHiddenAsNoTruck(doc: Omit<ListingDoc, 'images' | 'quality'>): boolean {
  const isConfirmed = (doc.class !== null && !doc.derived.includes('class')) || doc.gvwr !== null;
  return !isConfirmed && findOtherVehicle(doc) !== null;
}
