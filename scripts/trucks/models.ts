/** Models that many dealers have, with the VIN characters and weights that their makers use. */
export interface Model {
  make: string;
  name: string;
  /** The first eight characters of its VINs, and the eleventh: the plant. */
  vin: string;
  plant: string;
  class: number;
  /** lb */
  gvwr: number;
  bodies: readonly string[];
  engine: string;
  horsepower: number;
  transmission: string;
  /** Price when new in US dollars, and miles a year. */
  newPrice: number;
  use: number;
}

const SLEEPERS = ['Sleeper', 'CONVENTIONAL SLEEPER', 'Day Cab'];
const VOCATIONAL = ['DUMP', 'Mixer Truck', 'Roll Off Truck', 'Water Truck'];
const MEDIUM = ['Box Truck - Straight Truck', 'Reefer Truck', 'Flatbed', 'Bucket Truck - Boom Truck'];
const LIGHT = ['Service Truck', 'Flatbed', 'DUMP', 'Cab & Chassis'];
const LOW_CAB = ['Box Truck', 'Landscape Truck', 'Stakebed'];
const DT12 = 'Detroit DT12 12-speed automated';
const MANUAL = 'Eaton Fuller 13-speed manual';
const ALLISON = 'Allison 2500 RDS automatic';
const ALLISON_HD = 'Allison 4500 RDS automatic';
const TORQSHIFT = 'TorqShift 10-speed automatic';
const AISIN = 'Aisin 6-speed automatic';

// biome-ignore format: a table reads best with one model per line
export const MODELS: readonly Model[] = [
  { make: 'Freightliner', name: 'Cascadia 126', vin: '3AKJHHDR', plant: 'L', class: 8, gvwr: 52_000, bodies: SLEEPERS, engine: 'Detroit DD15', horsepower: 455, transmission: DT12, newPrice: 172_000, use: 82_000 },
  { make: 'Freightliner', name: 'M2 106', vin: '3ALACWFC', plant: 'H', class: 6, gvwr: 26_000, bodies: MEDIUM, engine: 'Cummins B6.7', horsepower: 260, transmission: ALLISON, newPrice: 98_000, use: 21_000 },
  { make: 'Kenworth', name: 'T680', vin: '1XKYDP9X', plant: 'J', class: 8, gvwr: 52_000, bodies: SLEEPERS, engine: 'PACCAR MX-13', horsepower: 455, transmission: MANUAL, newPrice: 172_000, use: 82_000 },
  { make: 'Kenworth', name: 'T880', vin: '1XKZD40X', plant: 'J', class: 8, gvwr: 66_000, bodies: VOCATIONAL, engine: 'PACCAR MX-13', horsepower: 455, transmission: ALLISON_HD, newPrice: 188_000, use: 22_000 },
  { make: 'Peterbilt', name: '579', vin: '1XPBDP9X', plant: 'D', class: 8, gvwr: 52_000, bodies: SLEEPERS, engine: 'PACCAR MX-13', horsepower: 455, transmission: MANUAL, newPrice: 172_000, use: 82_000 },
  { make: 'Mack', name: 'Granite 64FR', vin: '1M2GR4GC', plant: 'M', class: 8, gvwr: 64_000, bodies: VOCATIONAL, engine: 'Mack MP8', horsepower: 505, transmission: ALLISON_HD, newPrice: 188_000, use: 22_000 },
  { make: 'Volvo', name: 'VNL 64T 760', vin: '4V4NC9EH', plant: 'N', class: 8, gvwr: 52_000, bodies: SLEEPERS, engine: 'Volvo D13', horsepower: 455, transmission: 'Volvo I-Shift 12-speed automated', newPrice: 165_000, use: 82_000 },
  { make: 'Isuzu', name: 'NPR-HD', vin: 'JALC4W16', plant: '7', class: 4, gvwr: 14_500, bodies: LOW_CAB, engine: 'Isuzu 4HK1-TC', horsepower: 215, transmission: '6-speed automatic', newPrice: 66_000, use: 19_000 },
  { make: 'Ford', name: 'F-550', vin: '1FD0W5HT', plant: 'E', class: 5, gvwr: 19_500, bodies: LIGHT, engine: '6.7L Power Stroke V8', horsepower: 330, transmission: TORQSHIFT, newPrice: 84_000, use: 17_000 },
  { make: 'Ford', name: 'F-650', vin: '1FDNF6DC', plant: 'D', class: 6, gvwr: 26_000, bodies: MEDIUM, engine: '6.7L Power Stroke V8', horsepower: 270, transmission: TORQSHIFT, newPrice: 88_000, use: 21_000 },
  { make: 'Ram', name: '5500', vin: '3C7WRNFL', plant: 'G', class: 5, gvwr: 19_500, bodies: LIGHT, engine: 'Cummins 6.7L', horsepower: 360, transmission: AISIN, newPrice: 82_000, use: 17_000 },
];

/** Makes as dealers also write them; each is recognised. */
export const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  Freightliner: ['FREIGHTLINER', 'FRHT', 'FTL'],
  Kenworth: ['KW', 'KENWORTH'],
  Peterbilt: ['PETERBUILT', 'PETE'],
  Mack: ['MACK', 'Mack Trucks '],
  Volvo: ['VOLVO', 'Volvo Trucks'],
  Isuzu: ['ISUZU', 'Isuzu '],
  Ford: ['FORD', 'Ford Truck'],
  Ram: ['RAM', 'DODGE RAM'],
};
