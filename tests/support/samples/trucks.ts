import { computeCheckDigit } from '../../../lib/truck/vin/vin.ts';
import { goodTruck } from '../service/service.ts';

export interface Truck extends Record<string, unknown> {
  vin: string;
}

/** A good truck with a VIN of its own that even its check digit and model year agree with: no warnings. */
export function cleanTruck(change: Record<string, unknown> = {}): Truck {
  const truck = goodTruck({ year: 2017, ...change });
  const vin = String(truck.vin);
  return { ...truck, vin: `${vin.slice(0, 8)}${computeCheckDigit(vin)}${vin.slice(9)}`, ...change };
}

export function cleanTrucks(count: number, change: Record<string, unknown> = {}): Truck[] {
  return Array.from({ length: count }, () => cleanTruck(change));
}
