import { toList } from '../text/table.ts';
import type { Entry } from './entry.ts';

/**
 * The fields of an inventory record, one entry each. Readers, feed columns, merging, answers, the OpenAPI document,
 * search parameters and conditions, columns of the store, the widget’s facts, quality and the tests derive from it: to add
 * a field, add an entry here and a migration if it is searchable. `npm run prove-field` shows that nothing else is needed.
 */
export const FIELDS = {
  year: {
    kind: 'integer',
    reader: 'year',
    required: true,
    names: ['year', 'model_year', 'modelYear'],
    columns: toList(`
      yr, vehicle year, mfg year, model yr, year of manufacture, year built, model year built, año, ano,
      année, annee, modelo año, año modelo, anio, année modèle, annee modele
    `),
    about: 'Model year, 1990 to current year + 2.',
    example: 2021,
    search: {
      column: 'model_year',
      values: { about: 'Model years of four digits.', example: '2019,2020' },
      range: { about: 'model year.', examples: [2018, 2024], bounds: [1900, 2200] },
      facet: true,
      text: true,
    },
  },
  make: {
    kind: 'text',
    max: 80,
    required: true,
    names: ['make', 'Make', 'manufacturer', 'brand'],
    columns: toList('vehicle make, mfr, make name, manufacturer name, mk, marca, marque, fabricante, oem'),
    about: 'Manufacturer; aliases are resolved.',
    example: 'Freightliner',
    search: {
      values: { about: 'Makes; aliases and misspellings are resolved.', example: 'chevy,Ford' },
      facet: true,
      text: true,
    },
  },
  model: {
    kind: 'text',
    max: 80,
    names: ['model', 'Model'],
    columns: toList(`
      model desc, model description, model name, vehicle model, mdl, modelo, modèle, modele, carline,
      car line, model code, model number
    `),
    about: 'Model.',
    example: 'Cascadia 126',
    fromVin: true,
    quality: 7,
    search: {
      values: {
        about: 'Models, in any spelling of case, blanks and dashes; misspellings are resolved.',
        example: 'Cascadia',
      },
      facet: true,
      text: true,
    },
  },
  trim: {
    kind: 'text',
    max: 80,
    names: ['trim', 'series'],
    columns: toList('trim level, trim name, model desc, version, versión'),
    weak: ['version'],
    about: 'Trim or series.',
    example: 'Evolution',
    quality: 1,
    search: { text: true },
  },
  class: {
    kind: 'text',
    reader: 'class',
    max: 20,
    names: ['class', 'truck_class'],
    columns: toList('gvwr class, weight class, vehicle class, duty, duty class, clase, classe'),
    weak: ['class', 'vehicle class', 'duty'],
    label: 'Weight class',
    about: 'Weight class, class_3 to class_8; derived from gvwr when absent.',
    example: 'class_8',
    spec: { en: 'Class', es: 'Clase', fr: 'Classe' },
    quality: 4,
    search: {
      column: 'truck_class',
      values: { about: 'Weight classes from 3 to 8.', example: 'class_7,class_8' },
      facet: true,
      text: true,
    },
  },
  gvwr: {
    kind: 'integer',
    reader: 'gvwr',
    unit: 'lb',
    range: [Number.NEGATIVE_INFINITY, 2_000_000],
    names: ['gvwr', 'GVWR'],
    columns: toList(`
      gvw, gross vehicle weight, gross vehicle weight rating, gvwr lbs, gvw lbs, gross weight, gvw rating,
      gvwr rating, peso bruto, peso bruto vehicular, pbv, pnbv, gvwr class, weight class, class
    `),
    weak: ['gvwr class', 'weight class', 'class'],
    label: 'Gross weight (GVWR)',
    about: 'Gross vehicle weight rating in lb, at least 10,001.',
    example: 52000,
    spec: { en: 'GVWR', es: 'Peso bruto (GVWR)', fr: 'PNBV (GVWR)' },
    quality: 3,
  },
  body_type: {
    kind: 'text',
    reader: 'body',
    max: 60,
    names: ['body_type', 'bodyType'],
    columns: toList(`
      body, body style, vehicle type, vehicle body type, truck type, category, subcategory, class description,
      type, upfit type, upfit, style, bodystyle, carrocería, carroceria, tipo de carrocería, carrosserie,
      tipo, tipo de camion, tipo de unidad, application, vocation, unit type, configuration, type de véhicule,
      type de camion, type de carrosserie, tipo de caja, tipo caja, catégorie, categoría, class
    `),
    weak: toList(`
      catégorie, categoría, class, vehicle type, truck type, category, subcategory, type, style, tipo,
      application, vocation, unit type, configuration, type de véhicule, type de camion
    `),
    about: 'Truck body, canonical snake_case name; an unknown body is kept in `body_description` only.',
    example: 'sleeper_tractor',
    fromVin: true,
    quality: 7,
    search: {
      values: {
        about: 'Truck bodies; any other word finds the trucks whose dealers wrote it.',
        example: 'sleeper_tractor',
      },
      facet: true,
      text: true,
    },
  },
  condition: {
    kind: 'text',
    reader: 'condition',
    max: 20,
    names: ['condition', 'new_or_used'],
    columns: toList(`
      new/used, new used, stock type, state_of_vehicle, vehicle condition, listing condition, type, nu, n/u,
      inventory type, condición, condicion, estado del vehículo, état
    `),
    weak: toList('stock type, type, nu, inventory type'),
    about: '`new` or `used`.',
    example: 'used',
    spec: { en: 'Condition', es: 'Estado', fr: 'État' },
    quality: 2,
    search: { values: { about: '`new`, `used`, `unknown`.', example: 'used' }, facet: true, text: true },
  },
  price: {
    kind: 'integer',
    unit: 'usd',
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    names: ['price'],
    columns: toList(`
      internet price, internet special, internetspecial, internet special price, web price, special price,
      sale price, selling price, price current, current price, price, our price, vehicle price, asking price,
      ask price, advertised price, retail price, retail, list price, sales price, final price, precio,
      precio de venta, prix, adv price, asking, asking amount, list amount, list amt, retail amount,
      retail amt, buy now, buy now price, prix de vente, prix demandé, prix affiché, prix de détail,
      precio de lista, list
    `),
    weak: ['retail', 'asking', 'list'],
    about: 'Asking price in whole US dollars, or in whole units of `currency`; null is call-for-price.',
    example: 68900,
    quality: 14,
    search: {
      range: {
        about:
          'price, in units of each truck’s own `currency`. Send `currency` too if the account’s trucks have several. Excludes call-for-price.',
        examples: [20_000, 90_000],
      },
      facet: 'bands',
    },
  },
  confirmed_price: {
    kind: 'integer',
    unit: 'usd',
    range: [1, 2_000_000_000],
    names: ['confirmed_price'],
    columns: false,
    label: 'Price confirmed as right',
    about:
      'Repeats a price that was flagged as suspicious and is right, so that it counts in market data until it changes.',
    example: 850_000,
  },
  currency: {
    kind: 'text',
    reader: 'currency',
    max: 3,
    names: ['currency', 'price_currency', 'priceCurrency'],
    columns: toList(`
      price currency, currency code, currency type, curr, cur, ccy, cad/usd, usd/cad, mxn/usd, usd/mxn,
      moneda, tipo de moneda, divisa, devise, monnaie
    `),
    about:
      'Currency of `price`: USD, CAD or MXN; null is USD. Prices in CAD and MXN are shown as such, but left out of figures in US dollars.',
    example: 'CAD',
    search: { kinds: { about: 'Currencies of prices: `USD`, `CAD`, `MXN`.', example: 'MXN' } },
  },
  mileage: {
    kind: 'integer',
    unit: 'mi',
    range: [0, 9_999_999],
    names: ['mileage', 'odometer', 'miles'],
    columns: toList(`
      mileage, miles, odometer, odometer miles, odometer reading, mileage.value, current mileage, kilometers,
      kilometres, kms, km, odometer km, odometer kms, odometer kilometers, odometer kilometres, mileage km,
      mileage kms, kilometraje, kilometrage, kilométrage, kilómetros, kilometros, millaje, millas, odómetro,
      odometro, recorrido, meter, meter reading, meter 1, primary meter, last odometer, miles/hrs,
      miles/hours, usage value
    `),
    weak: toList('meter, meter reading, meter 1, primary meter, miles/hrs, miles/hours, usage value'),
    about: 'Odometer in miles.',
    example: 412350,
    spec: { en: 'Mileage', es: 'Kilometraje', fr: 'Kilométrage' },
    quality: 10,
    search: { range: { about: 'mileage.', examples: [0, 400_000] } },
  },
  mileage_unit: {
    kind: 'text',
    reader: 'distance',
    max: 2,
    names: ['mileage_unit', 'mileageUnit', 'odometer_unit'],
    columns: toList(`
      mileage.unit, mileage unit, odometer unit, odometer units, mileage units, unidad, odometer uom,
      mileage uom, odometer type, odometer measure, meter type, meter uom, meter 1 type, meter unit, odomunit,
      odounit, usage unit, uom
    `),
    weak: ['unidad', 'uom'],
    about: 'Unit of `mileage` as sent, mi or km. Kilometers are converted: answers are always in mi.',
    example: 'mi',
  },
  color: {
    kind: 'text',
    max: 40,
    names: ['color', 'colour', 'exterior_color'],
    columns: toList(`
      exterior color, ext color, color, colour, exterior colour, color description, exterior,
      ext_color_generic, color exterior, couleur, couleur extérieure
    `),
    weak: ['exterior'],
    about: 'Exterior color.',
    example: 'White',
    spec: { en: 'Color', es: 'Color', fr: 'Couleur' },
    quality: 1,
    search: { text: true },
  },
  fuel_type: {
    kind: 'text',
    max: 40,
    names: ['fuel_type', 'fuel', 'fuelType'],
    columns: toList('engine fuel, combustible, carburant, fuel type'),
    about: 'Fuel, for example diesel, gasoline, electric, natural_gas.',
    example: 'diesel',
    spec: { id: 'fuel', en: 'Fuel', es: 'Combustible', fr: 'Carburant' },
    fromVin: true,
    quality: 1,
    search: {
      values: { about: 'Fuels; any other word finds the trucks whose dealers wrote it.', example: 'diesel' },
      facet: true,
      text: true,
    },
  },
  engine: {
    kind: 'text',
    max: 80,
    names: ['engine'],
    columns: toList(`
      engine description, engine model, engine type, engine_desc, eng, motor, moteur, engine size
    `),
    about: 'Engine.',
    example: 'Detroit DD15',
    spec: { en: 'Engine', es: 'Motor', fr: 'Moteur' },
    fromVin: true,
    quality: 4,
    search: { text: true },
  },
  horsepower: {
    kind: 'integer',
    unit: 'hp',
    range: [1, 10_000],
    names: ['horsepower', 'hp'],
    columns: toList(`
      engine hp, engine horsepower, engine power, puissance, potencia, caballos, caballaje
    `),
    about: 'Engine power in hp.',
    example: 455,
    fromVin: true,
    quality: 1,
  },
  transmission: {
    kind: 'text',
    max: 80,
    names: ['transmission'],
    columns: toList(`
      transmission type, transmission description, trans, transmission desc, transmission model, transmisión,
      transmision, boîte, boite de vitesses
    `),
    about: 'Transmission.',
    example: 'Detroit DT12 automated',
    spec: { en: 'Transmission', es: 'Transmisión', fr: 'Transmission' },
    quality: 4,
    search: {
      kinds: { about: 'Transmissions: `automatic`, `automated`, `manual`.', example: 'automatic,automated' },
      text: true,
    },
  },
  drivetrain: {
    kind: 'text',
    max: 40,
    names: ['drivetrain', 'drive_type', 'axle_configuration'],
    columns: toList(`
      drive train, drivetrain desc, drive type, axle configuration, axle config, drive, wheel configuration,
      drive line, wheels driven, tracción, traccion, traction, ejes, configuración de ejes, essieux
    `),
    weak: ['drive', 'ejes', 'essieux'],
    about: 'Axle configuration.',
    example: '6x4',
    spec: { en: 'Drive', es: 'Tracción', fr: 'Configuration des roues' },
    fromVin: true,
    quality: 2,
    search: { kinds: { about: 'Wheels by driven wheels, such as `6x4`.', example: '6x4' }, text: true },
  },
  cab: {
    kind: 'text',
    max: 40,
    names: ['cab', 'cab_type'],
    columns: toList(`
      cab style, sleeper, sleeper type, sleeper size, cab configuration, cabina, cabine, slpr
    `),
    about: 'Cab.',
    example: '72 in raised roof',
    spec: { en: 'Cab', es: 'Cabina', fr: 'Cabine' },
    fromVin: true,
    search: {
      kinds: {
        about:
          '`Day cab`, `Sleeper`, `Crew cab`, `Extended cab`, `Regular cab`, `Mega cab`, `Low cab forward`.',
        example: 'Crew cab',
      },
      text: true,
    },
  },
  body_description: {
    kind: 'text',
    max: 200,
    names: ['body_description'],
    columns: toList(`
      upfit desc, upfit description, body desc, upfit comments, equipment description, descripcion carroceria,
      descripción de carrocería
    `),
    about: 'The body in the dealer’s own words, if they say more than `body_type`.',
    example: '26 ft box with liftgate',
    spec: { en: 'Equipment', es: 'Equipo', fr: 'Équipement' },
    search: { text: true },
  },
  body_maker: {
    kind: 'text',
    max: 60,
    names: ['body_maker', 'body_manufacturer', 'upfitter'],
    columns: toList(`
      body mfr, body make, body brand, upfit manufacturer, upfit make, body manufacturer name, upfit mfg,
      upfit mfr, upfit brand
    `),
    about: 'Maker of the body.',
    example: 'Morgan',
    search: { text: true },
  },
  body_length: {
    kind: 'integer',
    unit: 'ft',
    range: [1, 100],
    names: ['body_length', 'box_length'],
    columns: toList('body length ft, box length, bed length, body size, upfit length'),
    about: 'Length of the body in feet.',
    example: 26,
  },
  cab_to_axle: {
    kind: 'integer',
    unit: 'in',
    range: [1, 500],
    names: ['cab_to_axle', 'ca'],
    columns: toList('c/a, cab axle, cab to axle inches, ca inches'),
    about: 'Cab to axle in inches.',
    example: 108,
    spec: { en: 'Cab to axle', es: 'Cabina a eje', fr: 'Cabine à essieu' },
  },
  rear_wheels: {
    kind: 'text',
    reader: 'wheels',
    max: 6,
    names: ['rear_wheels', 'drw'],
    columns: toList('srw/drw, drw/srw, dual rear wheels, dual rear wheel, rear wheel, dually'),
    about: '`dual` or `single` wheels on the rear axle.',
    example: 'dual',
    search: { kinds: { about: 'Wheels on the rear axle: `dual`, `single`.', example: 'dual' } },
  },
  hydraulics: {
    kind: 'text',
    max: 80,
    names: ['hydraulics'],
    columns: toList('hydraulic, wet kit, wetkit, hydraulic system'),
    about: 'Hydraulics of the body, for example a wet kit.',
    example: '2-line wet kit',
    spec: { en: 'Hydraulics', es: 'Hidráulica', fr: 'Hydraulique' },
    search: { text: true },
  },
  wheelbase: {
    kind: 'integer',
    unit: 'in',
    range: [1, 1_000],
    names: ['wheelbase'],
    columns: ['wheel base', 'wb', 'wheelbase inches'],
    about: 'Wheelbase in inches.',
    example: 230,
    spec: { en: 'Wheelbase', es: 'Distancia entre ejes', fr: 'Empattement' },
  },
  stock_number: {
    kind: 'text',
    max: 60,
    names: ['stock_number', 'stock', 'stockNumber', 'unit_number'],
    columns: toList(`
      stock #, stock no, stock num, stk, stk no, unit #, unit number, unit no, untid, unit id, vehicle_id, id,
      inventario, número de inventario, no inventario, numero de stock, no de stock, no eco, no económico,
      no economico, número económico, numero economico, económico, economico, numéro d’inventaire,
      no d’inventaire, numéro de stock, numéro d’unité
    `),
    weak: ['vehicle_id', 'id', 'inventario'],
    about: 'The dealer’s own stock number.',
    example: 'U10482',
    spec: { en: 'Stock number', es: 'Número de inventario', fr: 'Numéro de stock' },
    quality: 1,
    search: { text: true },
  },
  description: {
    kind: 'block',
    max: 8000,
    names: ['description', 'comments'],
    columns: toList(`
      dealer comments, vehicle description, seller notes, notes, long description, free_text, web description,
      spec notes, remarks, descripción, descripcion, comentarios, observaciones, notas, remarques,
      commentaires, info, additional info
    `),
    weak: ['notes'],
    about: 'Free text.',
    example: 'One owner, full service history.',
    quality: 8,
    search: { text: true },
  },
  url: {
    kind: 'text',
    reader: 'url',
    max: 2000,
    names: ['url', 'link', 'listing_url'],
    columns: toList('detail url, vdp url, vehicle url, vdp link, website url, details link'),
    label: 'Web page of the truck',
    about: 'The listing on the dealer’s own site (http or https).',
    example: 'https://dealer.example/trucks/U10482',
  },
  features: {
    kind: 'list',
    max: 100,
    names: ['features', 'options'],
    columns: toList('equipment, option list, installed options, standard equipment, feature, option'),
    about: 'Features as a list of texts.',
    example: ['APU', 'Collision mitigation'],
    spec: { en: 'Features', es: 'Características', fr: 'Options' },
    quality: 1,
    search: { text: true },
  },
} as const satisfies Record<string, Entry>;
