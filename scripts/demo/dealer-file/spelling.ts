import type { LotTruck } from './lot-truck.ts';
import { type Dice, itemAt } from './random.ts';

/** One record of a dealer's file: a JSON object with whatever names and spellings its writer used. */
export type RawTruck = Record<string, unknown>;

/** A make as dealers also write it. All of these are to be recognised. */
const MAKES: Readonly<Record<string, readonly string[]>> = {
  Freightliner: ['FREIGHTLINER', 'FRHT', 'Freightliner ', 'FTL'],
  Kenworth: ['KW', 'KENWORTH', 'Kenworth '],
  Peterbilt: ['PETERBUILT', 'PETE', 'Peterbilt'],
  Volvo: ['VOLVO', 'Volvo Trucks'],
  Mack: ['MACK', 'Mack Trucks '],
  International: ['INTL', 'NAVISTAR', 'International Harvester'],
  'Western Star': ['WESTERN STAR', 'WSTR'],
  Hino: ['HINO', 'Hino Trucks'],
  Isuzu: ['ISUZU', 'Isuzu '],
  Ford: ['FORD', ' Ford', 'Ford Truck'],
  Chevrolet: ['CHEVY', 'CHEV', 'Chevrolet '],
  GMC: ['GMC', 'GMC TRUCK'],
  Ram: ['RAM', 'DODGE RAM'],
  'Mitsubishi Fuso': ['FUSO', 'MITSUBISHI FUSO'],
};

const PHOTOS = 'https://photos.heartlandtruckgroup.example';

/** Writes a truck down as one of three hands would. Nothing here is a fault: every spelling is one to accept. */
export function write(truck: LotTruck, dice: Dice): RawTruck {
  const hand = dice.next();
  if (hand < 0.6) return asSystem(truck, dice);
  return hand < 0.85 ? asExport(truck, dice) : asTyped(truck, dice);
}

/** The dealer management system: tidy, numbers are numbers. */
function asSystem(truck: LotTruck, dice: Dice): RawTruck {
  const [city, state, zip] = truck.lot;
  const record: RawTruck = {
    vin: truck.vin,
    year: truck.year,
    make: dice.chance(0.1) ? spokenMake(truck.make, dice) : truck.make,
    model: truck.model,
    class: truck.class === null ? null : `class_${truck.class}`,
    gvwr: truck.gvwr,
    body_type: truck.body,
    condition: truck.condition.toLowerCase(),
    price: truck.price,
    mileage: truck.mileage,
    color: truck.color,
    fuel_type: truck.fuel,
    engine: truck.engine,
    horsepower: truck.horsepower,
    transmission: truck.transmission,
    drivetrain: truck.drivetrain,
    stock_number: truck.stock,
    description: describe(truck),
    url: `https://www.heartlandtruckgroup.example/trucks/${truck.stock}`,
    city,
    state,
    zip,
    images: toPhotos(truck),
  };
  if (truck.features.length > 0) record.features = truck.features;
  return record;
}

/** A marketplace export: other names, and everything is text. */
function asExport(truck: LotTruck, dice: Dice): RawTruck {
  const [city, state, zip] = truck.lot;
  return {
    vehicle_identification_number: truck.vin,
    model_year: String(truck.year),
    manufacturer: spokenMake(truck.make, dice),
    model: truck.model.toUpperCase(),
    truck_class: truck.class === null ? '' : `Class ${truck.class}`,
    GVWR: truck.gvwr === null ? '' : `${grouped(truck.gvwr)} lbs`,
    bodyType: truck.body,
    new_or_used: truck.condition,
    price: truck.price === null ? '' : `$${grouped(truck.price)}`,
    odometer: grouped(truck.mileage),
    exterior_color: truck.color.toUpperCase(),
    fuel: truck.fuel.toUpperCase(),
    engine: truck.engine,
    hp: String(truck.horsepower),
    transmission: truck.transmission,
    axle_configuration: truck.drivetrain,
    stockNumber: truck.stock,
    options: truck.features,
    location: { city, state, postal_code: zip },
    photos: toPhotos(truck),
  };
}

/** Typed in at the front desk: short, shouted, with spaces at the end and dashes in the VIN. */
function asTyped(truck: LotTruck, dice: Dice): RawTruck {
  const [city, state, zip] = truck.lot;
  const vin = truck.vin;
  return {
    VIN: dice.chance(0.5) ? `${vin.slice(0, 9)}-${vin.slice(9)}` : `${vin.toLowerCase()} `,
    year: ` ${truck.year}`,
    Make: spokenMake(truck.make, dice),
    Model: `${truck.model} `,
    class: truck.class === null ? '' : String(truck.class),
    gvwr: truck.gvwr === null ? '' : grouped(truck.gvwr) + dice.pick(['', ' LBS']),
    body_type: ` ${truck.body}`,
    price: truck.price === null ? null : `$${grouped(truck.price)}.00`,
    miles: `${grouped(truck.mileage)} mi`,
    color: truck.color.toLowerCase(),
    unit_number: truck.stock,
    comments: `${truck.year} ${truck.make} ${truck.model}, call ${city}`,
    city: city.toUpperCase(),
    state,
    zip_code: zip,
  };
}

function spokenMake(make: string, dice: Dice): string {
  const spellings = MAKES[make];
  return spellings === undefined ? make.toUpperCase() : dice.pick(spellings);
}

function describe(truck: LotTruck): string {
  const run =
    truck.condition === 'New' ? 'New, ready to work.' : `${grouped(truck.mileage)} miles, serviced here.`;
  return `${truck.year} ${truck.make} ${truck.model}, ${truck.engine}, ${truck.transmission}. ${run}`;
}

const VIEWS = ['front', 'side', 'rear', 'cab'];

function toPhotos(truck: LotTruck): string[] {
  const photos: string[] = [];
  for (let index = 0; index < truck.photos; index++)
    photos.push(`${PHOTOS}/${truck.stock}/${itemAt(VIEWS, index)}.jpg`);
  return photos;
}

/** 26000 → '26,000'. */
function grouped(value: number): string {
  const digits = String(value);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
