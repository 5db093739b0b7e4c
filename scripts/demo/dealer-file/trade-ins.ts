import type { LotTruck } from './lot-truck.ts';
import { type Dice, itemAt } from './random.ts';
import { buildVin } from './vin.ts';

/** Vehicles that truck dealers take in trade and that this service does not list, or not without a word on weight. */
interface TradeIn {
  make: string;
  model: string;
  body: string;
  vin: string;
  class: number | null;
  gvwr: number | null;
  price: number;
}

const consumer = { class: null, gvwr: null } as const;

// biome-ignore format: a table reads best with one vehicle per line
const TRADE_INS = {
  suv: [
    { ...consumer, make: 'Chevrolet', model: 'Tahoe LT', body: 'SUV', vin: '1GNSKBKC', price: 31_900 },
    { ...consumer, make: 'Honda', model: 'CR-V EX', body: 'Crossover', vin: '5J6RW2H5', price: 22_400 },
    { ...consumer, make: 'Toyota', model: 'RAV4 XLE', body: 'SUV', vin: '2T3P1RFV', price: 23_900 },
    { ...consumer, make: 'Chrysler', model: 'Pacifica', body: 'Minivan', vin: '2C4RC1BG', price: 19_900 },
  ],
  sedan: [
    { ...consumer, make: 'Honda', model: 'Accord Sport', body: 'Sedan', vin: '1HGCV1F3', price: 18_900 },
    { ...consumer, make: 'Ford', model: 'Mustang GT', body: 'COUPE', vin: '1FA6P8CF', price: 27_500 },
    { ...consumer, make: 'Subaru', model: 'Outback', body: 'Wagon', vin: '4S4BSANC', price: 17_900 },
    { ...consumer, make: 'Volkswagen', model: 'Golf', body: 'Hatchback ', vin: '3VWG17AU', price: 12_900 },
  ],
  halfTon: [
    { make: 'Ford', model: 'F-150 XLT', body: 'Pickup', vin: '1FTEW1EP', class: 2, gvwr: null, price: 28_900 },
    { make: 'Ram', model: '1500 Big Horn', body: 'Crew Cab', vin: '1C6SRFFT', class: 1, gvwr: null, price: 26_900 },
  ],
  threeQuarterTon: [
    { make: 'Ram', model: '2500 Tradesman', body: 'Pickup Truck', vin: '3C6UR5DL', class: 2, gvwr: null, price: 36_500 },
    { make: 'Ford', model: 'F-250', body: 'PICK UP', vin: '1FT7W2BT', class: 2, gvwr: null, price: 38_900 },
  ],
  van: [
    { make: 'Ford', model: 'Transit 250', body: 'Cargo Van', vin: '1FTBR1C8', class: null, gvwr: 9_070, price: 24_900 },
    { make: 'Ram', model: '2500', body: 'Service Truck', vin: '3C6LR4AJ', class: null, gvwr: 8_500, price: 26_400 },
    { make: 'Mercedes-Benz', model: 'Sprinter 2500', body: 'VAN', vin: 'W1Y40BHY', class: null, gvwr: 9_050, price: 33_900 },
  ],
  oneTon: [
    { ...consumer, make: 'Ford', model: 'F-350', body: 'Dually', vin: '1FT8W3DT', price: 45_900 },
    { ...consumer, make: 'Ford', model: 'F-350 Super Duty', body: 'Flatbed', vin: '1FDRF3HT', price: 42_500 },
    { ...consumer, make: 'Ram', model: '3500', body: 'Service Truck', vin: '3C7WRTCL', price: 44_900 },
    { ...consumer, make: 'Chevrolet', model: 'Silverado 3500HD', body: 'Cab & Chassis', vin: '1GB3YSEY', price: 46_900 },
  ],
} as const satisfies Record<string, readonly TradeIn[]>;

/** A maker of trade-ins: stands where the truck stood, with its year, stock number and lot. */
export function tradeIn(kind: keyof typeof TRADE_INS): (truck: LotTruck, dice: Dice) => LotTruck {
  const vehicles: readonly TradeIn[] = TRADE_INS[kind];
  return (truck, dice) => {
    const vehicle = itemAt(vehicles, dice.int(0, vehicles.length - 1));
    const serial = Number(truck.stock.slice(1)) % 1_000_000;
    return {
      ...truck,
      vin: buildVin({ start: vehicle.vin, year: truck.year, plant: 'E', serial }),
      make: vehicle.make,
      model: vehicle.model,
      body: vehicle.body,
      class: vehicle.class,
      gvwr: vehicle.gvwr,
      price: vehicle.price,
      mileage: 12_000 + (truck.mileage % 90_000),
      condition: 'Used',
      engine: 'V8',
      horsepower: 350,
      transmission: 'automatic',
      drivetrain: '4x4',
      features: [],
    };
  };
}
