import type { Origin } from '../origins.ts';
import { findCountry } from '../place/country.ts';
import {
  FIELD_NAMES,
  type FieldName,
  PLACE_NAMES,
  type PlaceName,
  type TruckFields,
} from '../record/record.ts';
import { readEngineFuel } from '../vocabulary/resolve.ts';
import { findWeightClass } from '../vocabulary/weight-class.ts';
import type { ListingDoc, Location } from './truck.ts';

/** The parts of a stored document that determine where its values come from. */
type StoredTruck = Pick<ListingDoc, 'location' | 'derived'> & Partial<TruckFields>;
type Origins = Partial<Record<FieldName | PlaceName, Origin>>;

/** Returns the origin of each field and each member of the place that has a value. */
export function findOrigins(doc: StoredTruck): Origins {
  const derived = new Set<string>(doc.derived);
  const origins: Origins = {};
  for (const name of FIELD_NAMES)
    if (doc[name] != null) origins[name] = derived.has(name) ? findDerivedOrigin(name, doc) : 'record';
  for (const name of PLACE_NAMES)
    if (doc.location?.[name] != null) origins[name] = findPlaceOrigin(name, doc.location, derived);
  return origins;
}

/** A class may derive from the record's weight, a fuel from its engine, a currency from its state; all else from the VIN. */
function findDerivedOrigin(
  name: FieldName,
  { gvwr, location, derived, engine, fuel_type: fuel }: StoredTruck,
): Origin {
  if (name === 'currency')
    return location && findCountry(location) !== null
      ? findPlaceOrigin('state', location, new Set(derived))
      : 'dealer';
  const isOfEngine = name === 'fuel_type' && engine != null && !derived.includes('engine');
  if (isOfEngine && readEngineFuel(engine) === fuel) return 'record';
  return name === 'class' && gvwr != null && findWeightClass(gvwr) !== null ? 'record' : 'vin';
}

function findPlaceOrigin(name: PlaceName, { source }: Location, derived: ReadonlySet<string>): Origin {
  if (source === 'dealer') return 'dealer';
  if (name !== 'latitude' && name !== 'longitude') return derived.has(name) ? 'gazetteer' : 'record';
  if (source === 'geocoder') return 'geocoder';
  return source === 'zip' || source === 'city' ? 'gazetteer' : 'record';
}
