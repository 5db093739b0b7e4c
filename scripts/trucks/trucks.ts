import { computeCheckDigit } from '../../lib/truck/vin/vin.ts';
import { MODELS, SPELLINGS } from './models.ts';
import { dice } from './random.ts';

/** Trucks of dealers, and their records as dealers' people and systems write them. */

export interface Truck {
  vin: string;
  year: number;
  make: string;
  model: string;
  class: number;
  /** lb */
  gvwr: number;
  body: string;
  condition: 'new' | 'used';
  /** US dollars */
  price: number;
  mileage: number;
  color: string;
  engine: string;
  horsepower: number;
  transmission: string;
  drivetrain: string;
  stock: string;
  city: string;
  state: string;
  zip: string;
  features: readonly string[];
}

/** A JSON object with whatever names and spellings its writer used. */
export type RawTruck = Record<string, unknown>;

const COLORS = ['White', 'Black', 'Blue', 'Red', 'Gray', 'Yellow'];
const OPTIONS = ['APU', 'Engine brake', 'Aluminum wheels', 'Lift gate', 'Air ride', 'Backup camera', 'PTO'];
const LOTS = [
  ['Dallas', 'TX', '75236'],
  ['Houston', 'TX', '77029'],
  ['Oklahoma City', 'OK', '73128'],
  ['Memphis', 'TN', '38118'],
  ['Atlanta', 'GA', '30336'],
  ['Columbus', 'OH', '43228'],
  ['Denver', 'CO', '80216'],
  ['Fresno', 'CA', '93725'],
] as const;
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
/** Ages that are offered, in model years. */
const MAX_AGE = 10;

/** The truck of that number, always the same one; numbers below a million have different VINs. */
export function truckAt(number: number, currentYear: number): Truck {
  const { next: random, pick, chance } = dice(number);
  const model = pick(MODELS);
  const age = Math.floor(MAX_AGE * random() * random());
  const isNew = age === 0;
  const mileage = Math.round(isNew ? 900 * random() : age * model.use * (0.65 + random() * 0.7));
  const worth = model.newPrice * Math.exp(-(model.use > 50_000 ? 0.17 : 0.11) * age);
  const [city, state, zip] = pick(LOTS);
  return {
    vin: buildVin(model.vin, currentYear - age, model.plant, number),
    year: currentYear - age,
    make: model.make,
    model: model.name,
    class: model.class,
    gvwr: model.gvwr,
    body: pick(model.bodies),
    condition: isNew ? 'new' : 'used',
    price: Math.round((worth * (0.9 + random() * 0.2)) / 100) * 100,
    mileage,
    color: pick(COLORS),
    engine: model.engine,
    horsepower: model.horsepower,
    transmission: model.transmission,
    drivetrain: model.class === 8 ? '6x4' : '4x2',
    stock: `U${10_000 + number}`,
    city,
    state,
    zip,
    features: OPTIONS.filter(() => chance(0.3)),
  };
}

/** A VIN as its maker builds it: 49 CFR 565. */
export function buildVin(start: string, year: number, plant: string, number: number): string {
  const yearCode = YEAR_CODES.charAt((year - 1980) % YEAR_CODES.length);
  const end = `${yearCode}${plant}${String(number % 1_000_000).padStart(6, '0')}`;
  return start + computeCheckDigit(`${start}0${end}`) + end;
}

/** Records of distinct trucks from `first` on, each written by one of three hands. The service accepts all of them. */
export function writeTrucks(count: number, currentYear: number, first = 0): RawTruck[] {
  return Array.from({ length: count }, (_, at) => {
    const number = first + at;
    const write = number % 8 < 5 ? asSystem : number % 8 < 7 ? asExport : asTyped;
    return write(truckAt(number, currentYear));
  });
}

const spell = ({ make, mileage }: Truck) => dice(mileage).pick(SPELLINGS[make] ?? [make]);
const group = (value: number) => value.toLocaleString('en-US');
const photos = ({ stock }: Truck) =>
  ['front', 'side'].map((view) => `https://photos.heartland.example/${stock}/${view}.jpg`);

/** A dealer management system: canonical names, numbers are numbers. */
export const asSystem = (truck: Truck): RawTruck => ({
  vin: truck.vin,
  year: truck.year,
  make: truck.make,
  model: truck.model,
  class: `class_${truck.class}`,
  gvwr: truck.gvwr,
  body_type: truck.body,
  condition: truck.condition,
  price: truck.price,
  mileage: truck.mileage,
  color: truck.color,
  fuel_type: 'diesel',
  engine: truck.engine,
  horsepower: truck.horsepower,
  transmission: truck.transmission,
  drivetrain: truck.drivetrain,
  stock_number: truck.stock,
  description: `${truck.year} ${truck.make} ${truck.model}, ${truck.engine}, ${truck.transmission}, serviced here.`,
  url: `https://www.heartland.example/trucks/${truck.stock}`,
  city: truck.city,
  state: truck.state,
  zip: truck.zip,
  images: photos(truck),
  features: truck.features,
});

/** A marketplace export: other names, and everything is text. */
const asExport = (truck: Truck): RawTruck => ({
  vin: truck.vin,
  model_year: String(truck.year),
  manufacturer: spell(truck),
  model: truck.model.toUpperCase(),
  truck_class: `Class ${truck.class}`,
  GVWR: `${group(truck.gvwr)} lbs`,
  bodyType: truck.body,
  new_or_used: truck.condition,
  price: `$${group(truck.price)}`,
  odometer: group(truck.mileage),
  exterior_color: truck.color.toUpperCase(),
  fuel: 'DIESEL',
  engine: truck.engine,
  hp: String(truck.horsepower),
  transmission: truck.transmission,
  axle_configuration: truck.drivetrain,
  stockNumber: truck.stock,
  options: truck.features,
  location: { city: truck.city, state: truck.state, postal_code: truck.zip },
  photos: photos(truck),
});

/** Typed in at the front desk: short, shouted, with spaces at the end. */
const asTyped = (truck: Truck): RawTruck => ({
  vin: `${truck.vin.toLowerCase()} `,
  year: ` ${truck.year}`,
  Make: spell(truck),
  Model: `${truck.model} `,
  class: String(truck.class),
  gvwr: `${group(truck.gvwr)} LBS`,
  body_type: ` ${truck.body}`,
  price: `$${group(truck.price)}.00`,
  miles: `${group(truck.mileage)} mi`,
  color: truck.color.toLowerCase(),
  unit_number: truck.stock,
  comments: `${truck.year} ${truck.make} ${truck.model}, call ${truck.city}`,
  city: truck.city.toUpperCase(),
  state: truck.state,
  zip_code: truck.zip,
});
