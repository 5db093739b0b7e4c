import { ELEMENTS, type Element } from '../../lib/pipeline/vin-decoder/vpic-file.ts';
import { canonicalFuel } from '../../lib/truck/vocabulary/resolve.ts';
import { SOURCE_ELEMENTS as FROM } from './read-source.ts';

/** vPIC's values in the service's words. What says nothing of use is left out. */

const BODIES: Readonly<Record<string, string>> = {
  'Truck-Tractor': 'tractor',
  Pickup: 'pickup',
  Van: 'van',
  'Cargo Van': 'cargo_van',
  'Step Van / Walk-in Van': 'step_van',
  'Incomplete - Chassis Cab (Single Cab)': 'cab_chassis',
  'Incomplete - Chassis Cab (Double Cab)': 'cab_chassis',
  'Incomplete - Chassis Cab (Number of Cab Unknown)': 'cab_chassis',
  'Incomplete - Cutaway': 'cutaway',
  'Incomplete - Stripped Chassis': 'stripped_chassis',
  'Incomplete - Motor Home Chassis': 'motorhome_chassis',
  'Incomplete - Glider': 'glider',
  Bus: 'bus',
  'Bus - School Bus': 'bus',
  'Incomplete - Bus Chassis': 'bus',
  'Incomplete - Commercial Bus Chassis': 'bus',
  'Incomplete - Motor Coach Chassis': 'bus',
  'Incomplete - School Bus Chassis': 'bus',
  'Incomplete - Shuttle Bus Chassis': 'bus',
  'Incomplete - Transit Bus Chassis': 'bus',
  'Fire Apparatus': 'fire',
  Ambulance: 'ambulance',
  'Street Sweeper': 'sweeper',
};

const FUELS: Readonly<Record<string, string>> = {
  'Compressed Hydrogen/Hydrogen': 'hydrogen',
  'Compressed Natural Gas (CNG)': 'natural gas',
  'Ethanol (E85)': 'e85',
  'Flexible Fuel Vehicle (FFV)': 'ffv',
  'Liquefied Natural Gas (LNG)': 'lng',
  'Liquefied Petroleum Gas (propane or LPG)': 'propane',
};
/** Fuels of laboratories and race tracks. */
const UNUSED_FUELS = /methanol|neat/i;

/** Cabs as texts about series and trim name them, the first that fits. */
const CABS: readonly (readonly [RegExp, string])[] = [
  [/\bno cab\b|\bcabless\b|sleeper glider/i, ''],
  [/sleeper/i, 'Sleeper'],
  [/\bday ?cab\b/i, 'Day cab'],
  [/\bmega ?cab\b/i, 'Mega cab'],
  [/\bnon-crew cab\b/i, ''],
  [/\bcrew ?cab\b/i, 'Crew cab'],
  [/\b(?:extended|super|quad|king|club|access|xtra) ?cab\b|\bxtracab\b/i, 'Extended cab'],
  [/\b(?:regular|standard|single) cab\b/i, 'Regular cab'],
  [/\blow cab forward\b/i, 'Low cab forward'],
];

/** Engine makers; vPIC spells them in 170 ways, plants and typing errors among them. The rest is left out. */
const ENGINE_MAKES: readonly (readonly [RegExp, string])[] = [
  [/westport/i, 'Cummins Westport'],
  [/^cum/i, 'Cummins'],
  [/^cat(?:erpillar|repillar)?\b/i, 'Caterpillar'],
  [/^(?:det|dd$|dda|ddc|ddec|diesel 6-71)/i, 'Detroit Diesel'],
  [/^(?:navistar|international|maxxforce|i\.h\.c|ih$)/i, 'Navistar'],
  [/^(?:gm|general motor|chev|duramax|ecotec|buick|pontiac|cadillac)/i, 'GM'],
  [/^(?:fca|stla|chrysler|hemi)/i, 'FCA'],
  [/^(?:mercedes|mb|mbe)\b/i, 'Mercedes-Benz'],
  [/^(?:psi$|power solutions)/i, 'PSI'],
  [/^john deere?/i, 'John Deere'],
  [/^perkins/i, 'Perkins'],
  ...['PACCAR', 'Mack', 'Volvo', 'Isuzu', 'Hino', 'Ford', 'Mitsubishi', 'Nissan', 'Toyota', 'Honda'].map(
    nameAs,
  ),
  ...['Volkswagen', 'Suzuki', 'Mazda', 'BMW', 'Fiat', 'Iveco', 'DAF', 'Scania', 'Daimler', 'Deutz'].map(
    nameAs,
  ),
  ...['MTU', 'Tesla', 'Proterra', 'Siemens', 'Dana', 'ZF', 'Accelera', 'BAE'].map(nameAs),
];

function nameAs(name: string): [RegExp, string] {
  return [new RegExp(`^${name}`, 'i'), name];
}

/** Models that are none: `Hino Incomplete Vehicle`. */
const NO_MODEL =
  /^(?:incomplete(?: vehicle)?(?: chassis)?|(?:conventional|forward control)(?: \/conventional low profile)?(?: type)? truck|other|unknown|(?:truck|bus|tractor|truck tractor|van or truck)(?: chassis)?|chassis(?: only| with powertrain)?|commercial chassis|(?:cutaway|motorhome|van|strip) chassis|specialty vehicle|work truck)$/i;

/** What GM and Ford add to an engine's name. */
const ENGINE_FEATURES =
  /\s*-\s*(?:SIDI|DI|MFI|SFI|CRI|VVT|DOHC|GEN|FLEX|BAS|LPG|CNG|TURBO|SPARK|DIRECT|E\d|E-FLEX).*$/i;
const NO_ENGINE = /none|no engine|glider|unknown|discontinued|less engine|^misc|^\W*$/i;

/** What a value of vPIC's element says, as values of the file; GVWR is made of two elements. */
export function toValues(element: number, value: string, make: string | null): string[] {
  const say = (name: Element, word: string | null) => (word ? [ELEMENTS[name] + word] : []);
  switch (element) {
    case FROM.model:
      return make === null ? [] : say('model', `${make}\t${NO_MODEL.test(value) ? '' : value}`);
    case FROM.bodyClass:
      // "Single Cab" is what vPIC also says of crew cabs; only series and trim are asked for the cab.
      return say('body', BODIES[value] ?? null);
    case FROM.fuel:
      return say('fuel', toFuel(value));
    case FROM.secondFuel:
      return say('secondFuel', toFuel(value));
    case FROM.engineModel:
      return [...say('engine', toEngineModel(value)), ...say('horsepower', horsepowerIn(value))];
    case FROM.otherEngine:
      return say('horsepower', horsepowerIn(value));
    case FROM.engineMake:
      return say('engineMake', toEngineMake(value));
    case FROM.litres:
      return say('litres', litres(Number(value)));
    case FROM.cubicCentimetres:
      return say('litres', litres(Number(value) / 1_000));
    case FROM.cylinders:
      return say('cylinders', /^[1-9]\d?$/.test(value) ? value : null);
    case FROM.series:
      return [
        ...say('series', toSeries(value)),
        ...say('cab', cabIn(value)),
        ...say('drivetrain', axlesIn(value)),
      ];
    case FROM.trim:
      return [...say('cab', cabIn(value)), ...say('drivetrain', axlesIn(value))];
    case FROM.plantCountry:
      return say(
        'plantCountry',
        value
          .replace(/ \(.*$/, '')
          .toLowerCase()
          .replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      );
    default:
      return [];
  }
}

/** `Class 2H: 9,001 - 10,000 lb` → 2. */
export function weightClassIn(value: string): number | null {
  const digit = /^Class ([1-8])/.exec(value)?.[1];
  return digit === undefined ? null : Number(digit);
}

function toFuel(value: string): string | null {
  return UNUSED_FUELS.test(value) ? null : canonicalFuel(FUELS[value] ?? value);
}

function toEngineMake(value: string): string | null {
  return ENGINE_MAKES.find(([pattern]) => pattern.test(value))?.[1] ?? null;
}

/** `LV3 - GEN 5, SIDI, VVT` → LV3, `X15, Signature` → X15. */
export function toEngineModel(value: string): string | null {
  const name = (value.split(/[,;]/)[0] ?? '').replace(ENGINE_FEATURES, '').trim();
  return NO_ENGINE.test(value) || name.length > 40 ? null : name;
}

function litres(value: number): string | null {
  return value > 0.3 && value < 40 ? String(Math.round(value * 10) / 10) : null;
}

/** A rating in a text that names just one: `275 BHP @ 2100 RPM` → 275. */
function horsepowerIn(value: string): string | null {
  if (/through|-|~|\bor\b|&|\/|,|engine brake/i.test(value)) return null;
  const ratings = [...value.matchAll(/\b(\d{2,3}) ?B?HP\b/gi)].map(([, rating = '']) => rating);
  return ratings.length === 1 ? (ratings[0] ?? null) : null;
}

function toSeries(value: string): string | null {
  return value.length <= 60 && !/^(?:n\/?a|none|unknown)$|unknown/i.test(value) ? value : null;
}

function cabIn(value: string): string | null {
  return CABS.find(([pattern]) => pattern.test(value))?.[1] || null;
}

function axlesIn(value: string): string | null {
  const axles = /(?:^|[^\w])(4x2|4x4|6x2|6x4|6x6|8x2|8x4|8x6|8x8)(?![\w])/i.exec(value)?.[1];
  return axles?.toLowerCase() ?? null;
}
