import { MILEAGE_BAND, type Observation } from './market-cell.ts';
import type { Picks } from './market-estimate.ts';

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

/** Widens mileage bounds to whole bands: a bound that can be moved by single miles would single out listings. */
export function wholeBands(min: number | null, max: number | null) {
  return {
    mileageMin: min === null ? null : Math.floor(min / MILEAGE_BAND) * MILEAGE_BAND,
    mileageMax: max === null ? null : Math.max(1, Math.ceil(max / MILEAGE_BAND)) * MILEAGE_BAND,
  };
}

/** Whether a listing whose make and model fit is meant. */
export function fits(filter: MarketFilter, listing: Observation): boolean {
  const same = (wanted: string | null, value: string) => wanted === null || wanted === value;
  const within = (value: number | null, min: number | null, max: number | null) =>
    (min === null && max === null) ||
    (value !== null &&
      value >= (min ?? Number.NEGATIVE_INFINITY) &&
      value <= (max ?? Number.POSITIVE_INFINITY));
  return (
    within(listing.year, filter.yearMin, filter.yearMax) &&
    same(filter.truckClass, listing.truckClass) &&
    same(filter.body, listing.body) &&
    same(filter.state, listing.state) &&
    same(filter.condition, listing.condition) &&
    same(filter.fuel, listing.fuel) &&
    within(listing.mileage, filter.mileageMin, filter.mileageMax)
  );
}

/** What the filter asks for beyond make, model, model year and class, by which the cells are cut; null: nothing. */
export function toPicks(filter: MarketFilter): Picks | null {
  const picks: Picks = {};
  for (const mark of ['body', 'state', 'condition', 'fuel'] as const) {
    const wanted = filter[mark];
    if (wanted !== null) picks[mark] = (value) => value === wanted;
  }
  const { mileageMin, mileageMax } = filter;
  if (mileageMin !== null || mileageMax !== null) {
    const first = (mileageMin ?? 0) / MILEAGE_BAND;
    const end = mileageMax === null ? Number.POSITIVE_INFINITY : mileageMax / MILEAGE_BAND;
    picks.band = (band) => band !== '' && Number(band) >= first && Number(band) < end;
  }
  return Object.keys(picks).length > 0 ? picks : null;
}
