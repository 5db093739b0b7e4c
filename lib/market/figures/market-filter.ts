/** Which listings of the market are meant; null: any. Values are canonical. */
export interface MarketFilter {
  make: string | null;
  /** Only with a make. */
  model: string | null;
  yearMin: number | null;
  yearMax: number | null;
  truckClass: string | null;
  body: string | null;
  state: string | null;
  condition: string | null;
  fuel: string | null;
  /** Multiples of MILEAGE_BAND, both ends inclusive; leave out listings without mileage. */
  mileageMin: number | null;
  mileageMax: number | null;
}

export const ANY_TRUCK: MarketFilter = {
  make: null,
  model: null,
  yearMin: null,
  yearMax: null,
  truckClass: null,
  body: null,
  state: null,
  condition: null,
  fuel: null,
  mileageMin: null,
  mileageMax: null,
};

const MILEAGE_BAND = 10_000;

/** Widens mileage bounds to whole bands. */
export function wholeBands(min: number | null, max: number | null) {
  return {
    mileageMin: min === null ? null : Math.floor(min / MILEAGE_BAND) * MILEAGE_BAND,
    mileageMax: max === null ? null : Math.max(1, Math.ceil(max / MILEAGE_BAND)) * MILEAGE_BAND,
  };
}
