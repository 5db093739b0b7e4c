import { toList } from '../../../lib/contract/record/to-list.ts';
import type { Model } from './models.ts';
import { LOTS, type Lot } from './places.ts';
import { type Dice, itemAt } from './random.ts';
import { buildVin, SERIALS } from './vin.ts';

/** A truck as it really stands on the lot, before anybody types it into a computer. */
export interface LotTruck {
  vin: string;
  year: number;
  make: string;
  model: string;
  /** 3 to 8 (1 and 2 for what has no business here); null when the dealer does not say. */
  class: number | null;
  /** lb */
  gvwr: number | null;
  body: string;
  condition: 'New' | 'Used';
  /** US dollars; null is call-for-price. */
  price: number | null;
  /** miles */
  mileage: number;
  color: string;
  fuel: string;
  engine: string;
  horsepower: number;
  transmission: string;
  drivetrain: string;
  stock: string;
  lot: Lot;
  features: readonly string[];
  photos: number;
}

const COLORS = toList('White, White, White, Black, Blue, Red, Silver, Gray, Green, Orange, Yellow');
const OPTIONS = toList(`
  APU, Collision mitigation, Engine brake, Aluminum wheels, Lift gate, Air ride, Backup camera, PTO,
  Bluetooth, Dual bunks, Locking differentials
`);
const PRICE_ENDINGS = [0, 400, 450, 495, 0];

/** Oldest age that is offered, in model years. */
const OLDEST = 17;

export interface Offer {
  model: Model;
  /** Counts trucks from 0: makes VIN and stock number unique. */
  number: number;
  currentYear: number;
  seed: number;
  dice: Dice;
}

export function rollTruck(offer: Offer): LotTruck {
  const { model, dice } = offer;
  const year = rollYear(model, offer.currentYear, dice);
  const age = Math.max(0, offer.currentYear - year);
  const isNew = year > offer.currentYear || (year === offer.currentYear && dice.chance(0.7));
  const mileage = isNew ? dice.int(3, 900) : rollMileage(model, age, dice);
  const [engine, horsepower] = dice.pick(model.engines);
  return {
    vin: buildVin({
      start: dice.pick(model.vin),
      year,
      plant: model.plants.charAt(dice.int(0, model.plants.length - 1)),
      serial: toSerial(offer.number, offer.seed),
      lettered: model.letteredSerial === true,
    }),
    year,
    make: model.make,
    model: model.name,
    class: model.class,
    gvwr: dice.pick(model.gvwr),
    body: dice.pick(model.bodies),
    condition: isNew ? 'New' : 'Used',
    price: dice.chance(0.04) ? null : rollPrice(model, age, mileage, dice),
    mileage,
    color: dice.pick(COLORS),
    fuel: model.fuel ?? 'diesel',
    engine,
    horsepower,
    transmission: dice.pick(model.transmissions),
    drivetrain: model.drivetrain,
    stock: `${isNew ? 'N' : 'U'}${10_000 + offer.number}`,
    lot: dice.pick(LOTS),
    features: rollFeatures(dice),
    photos: dice.int(0, 4),
  };
}

/** Young used trucks are the most frequent; a model is offered only for years in which it was built. */
function rollYear(model: Model, currentYear: number, dice: Dice): number {
  const newest = Math.min(model.until ?? currentYear + 1, currentYear + 1);
  const oldest = Math.max(model.from ?? 1990, currentYear - OLDEST, 1990);
  const span = Math.max(0, newest - oldest);
  return newest - Math.floor(span * dice.next() * Math.sqrt(dice.next()));
}

function rollMileage(model: Model, age: number, dice: Dice): number {
  const years = age + 0.5 - Math.min(age, 12) * 0.025 * age;
  return Math.round(Math.max(0.3, years) * model.use * (0.65 + dice.next() * 0.7));
}

/** Loses value by age (long-haul tractors fastest), less or more by how far it has run; always a plausible price. */
function rollPrice(model: Model, age: number, mileage: number, dice: Dice): number {
  const loss = model.use > 50_000 ? 0.19 : 0.11;
  const usual = Math.max(1, (age + 0.5) * model.use);
  const wear = Math.min(1.15, Math.max(0.75, 1.12 - 0.12 * (mileage / usual)));
  const price = model.newPrice * Math.exp(-loss * age) * wear * (0.92 + dice.next() * 0.16);
  return Math.max(7_500, Math.floor(price / 500) * 500) + dice.pick(PRICE_ENDINGS);
}

function rollFeatures(dice: Dice): string[] {
  const first = dice.int(0, OPTIONS.length - 1);
  const count = dice.int(0, 4);
  const features: string[] = [];
  for (let index = 0; index < count; index++)
    features.push(itemAt(OPTIONS, (first + index * 3) % OPTIONS.length));
  return features;
}

/** Different for every number below `SERIALS`: the factor is coprime to it. */
function toSerial(number: number, seed: number): number {
  return (number * 611_953 + (Math.abs(seed) % SERIALS) * 7_919) % SERIALS;
}
