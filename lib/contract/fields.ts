/**
 * The fields of an inventory record, once. From this table derive the accepted names (contract section 2), the
 * normaliser, the wire schemas, the OpenAPI document and the merge. To add a field, add it here; to make it count
 * for quality or searchable, name it in domain/quality.ts or in the search document.
 *
 * - `names`: accepted input names; the first non-blank one wins. The first is the canonical one.
 * - `kind`: how the value is read and what it becomes: integers are whole pounds, dollars or miles.
 */
export const FIELDS = {
  year: {
    kind: 'integer',
    names: ['year', 'model_year', 'modelYear'],
    about: 'Model year, 1990 to current year + 2.',
    example: 2021,
  },
  make: {
    kind: 'text',
    max: 80,
    names: ['make', 'Make', 'manufacturer', 'brand'],
    about: 'Manufacturer; aliases are resolved.',
    example: 'Freightliner',
  },
  model: { kind: 'text', max: 80, names: ['model', 'Model'], about: 'Model.', example: 'Cascadia 126' },
  trim: { kind: 'text', max: 80, names: ['trim', 'series'], about: 'Trim or series.', example: 'Evolution' },
  class: {
    kind: 'text',
    max: 20,
    names: ['class', 'truck_class'],
    about: 'Weight class, class_3 to class_8; derived from gvwr when absent.',
    example: 'class_8',
  },
  gvwr: {
    kind: 'integer',
    names: ['gvwr', 'GVWR'],
    about: 'Gross vehicle weight rating in lb, at least 10,001.',
    example: 52000,
  },
  body_type: {
    kind: 'text',
    max: 60,
    names: ['body_type', 'bodyType'],
    about: 'Truck body, canonical snake_case name.',
    example: 'sleeper_tractor',
  },
  condition: {
    kind: 'text',
    max: 20,
    names: ['condition', 'new_or_used'],
    about: '`new` or `used`.',
    example: 'used',
  },
  price: {
    kind: 'integer',
    names: ['price'],
    about: 'Asking price in whole US dollars; null is call-for-price.',
    example: 68900,
  },
  mileage: {
    kind: 'integer',
    names: ['mileage', 'odometer', 'miles'],
    about: 'Odometer in miles.',
    example: 412350,
  },
  color: {
    kind: 'text',
    max: 40,
    names: ['color', 'colour', 'exterior_color'],
    about: 'Exterior color.',
    example: 'White',
  },
  fuel_type: {
    kind: 'text',
    max: 40,
    names: ['fuel_type', 'fuel', 'fuelType'],
    about: 'Fuel, for example diesel, gasoline, electric, natural_gas.',
    example: 'diesel',
  },
  engine: { kind: 'text', max: 80, names: ['engine'], about: 'Engine.', example: 'Detroit DD15' },
  horsepower: { kind: 'integer', names: ['horsepower', 'hp'], about: 'Engine power in hp.', example: 455 },
  transmission: {
    kind: 'text',
    max: 80,
    names: ['transmission'],
    about: 'Transmission.',
    example: 'Detroit DT12 automated',
  },
  drivetrain: {
    kind: 'text',
    max: 40,
    names: ['drivetrain', 'drive_type', 'axle_configuration'],
    about: 'Axle configuration.',
    example: '6x4',
  },
  cab: { kind: 'text', max: 40, names: ['cab', 'cab_type'], about: 'Cab.', example: '72 in raised roof' },
  wheelbase: { kind: 'integer', names: ['wheelbase'], about: 'Wheelbase in inches.', example: 230 },
  stock_number: {
    kind: 'text',
    max: 60,
    names: ['stock_number', 'stock', 'stockNumber', 'unit_number'],
    about: 'The dealer’s own stock number.',
    example: 'U10482',
  },
  description: {
    kind: 'text',
    max: 8000,
    names: ['description', 'comments'],
    about: 'Free text.',
    example: 'One owner, full service history.',
  },
  url: {
    kind: 'text',
    max: 2000,
    names: ['url', 'link', 'listing_url'],
    about: 'The listing on the dealer’s own site (http or https).',
    example: 'https://dealer.example/trucks/U10482',
  },
  features: {
    kind: 'list',
    max: 100,
    names: ['features', 'options'],
    about: 'Features as a list of texts.',
    example: ['APU', 'Collision mitigation'],
  },
} as const satisfies Record<string, FieldSpec>;

export interface FieldSpec {
  readonly kind: 'text' | 'integer' | 'list';
  readonly names: readonly [string, ...string[]];
  readonly about: string;
  readonly example: unknown;
  /** Longest text in characters, or most items of a list. */
  readonly max?: number;
}

export type FieldName = keyof typeof FIELDS;

interface ValueOf {
  text: string;
  integer: number;
  list: string[];
}

/** The field values of a truck; null where nothing is known. */
export type TruckFields = { [Name in FieldName]: ValueOf[(typeof FIELDS)[Name]['kind']] | null };

/** Accepted names of what is not a plain field. */
export const VIN_NAMES = ['vin', 'VIN', 'vehicle_identification_number'] as const;
export const IMAGE_NAMES = ['images', 'photos', 'image_urls'] as const;

/** Members of `location`, each also accepted at the top level of a record. */
export const LOCATION_NAMES = {
  city: ['city'],
  state: ['state', 'province'],
  zip: ['zip', 'zip_code', 'postal_code', 'postalCode'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'lng'],
} as const;

export const LISTING_STATUSES = ['available', 'sold', 'delisted'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** What became of an image URL. */
export const IMAGE_STATUSES = ['pending', 'stored', 'failed'] as const;
export type ImageStatus = (typeof IMAGE_STATUSES)[number];

/** Kinds of images that are taken in. */
export const IMAGE_TYPES = ['jpeg', 'png', 'webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Statuses PATCH may set. */
export const PATCH_STATUSES = ['sold', 'delisted'] as const;

export const TRUCK_CLASSES = ['class_3', 'class_4', 'class_5', 'class_6', 'class_7', 'class_8'] as const;
export type TruckClass = (typeof TRUCK_CLASSES)[number];

/** The eight consumer bodies of contract section 2. */
export const BLOCKED_BODIES = [
  'sedan',
  'suv',
  'coupe',
  'crossover',
  'hatchback',
  'convertible',
  'minivan',
  'wagon',
] as const;

/** Hard limits of contract section 8. */
export const LIMITS = {
  batchSize: 500,
  vinLength: 17,
  yearMin: 1990,
  yearsAhead: 2,
  gvwrFloor: 10_001,
  priceFloor: 1_000,
  bodyBytes: 4 * 1024 * 1024,
  jsonDepth: 32,
} as const;
