import { dealerFile, type RawTruck } from '../demo/dealer-file.ts';

export const BATCH = 500;

/** Distinct trucks that the service accepts, in batches of the largest size. */
export function batchesOfTrucks(batches: number): RawTruck[][] {
  const trucks = dealerFile({ trucks: batches * BATCH, currentYear: new Date().getUTCFullYear(), faulty: 0 });
  return Array.from({ length: batches }, (_, index) => trucks.slice(index * BATCH, (index + 1) * BATCH));
}

/** What a dealer changes from day to day: the price, and the odometer where there is hardly a price. */
export function repriced(truck: RawTruck): RawTruck {
  const price = toNumber(truck.price);
  if (price > 5_000) return { ...truck, price: price - 100 };
  return { ...truck, mileage: toNumber(truck.mileage ?? truck.odometer ?? truck.miles) + 10 };
}

const toNumber = (value: unknown) => Number(String(value ?? '').replace(/[^\d.]/g, ''));

/** The same with another text to find the truck by. */
export function reworded(truck: RawTruck, index: number): RawTruck {
  return { ...repriced(truck), stock_number: `R${index}-${String(truck.stock_number ?? '').slice(-4)}` };
}
