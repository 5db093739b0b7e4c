import { toList } from '../text/table.ts';

/**
 * Truck makes by canonical name, with the spellings dealers use for them. Source: vPIC make names and the
 * vocabularies of public dealer feeds. make.ts folds spellings and resolves ambiguous ones.
 */
export const MAKES = {
  International: toList(`
    INTL, IHC, IH, INTERNATIONAL HARVESTER, NAVISTAR, NAVISTAR INTERNATIONAL, INTERNATIONAL MOTORS,
    INTERNATIONAL TRUCK, INT, INTER, INTERN, INTNL, INTERNATL, INTERNATIONAL TRUCK AND ENGINE, NAVISTAR INTL
  `),
  Freightliner: toList(`
    FRTLNR, FREIGHT, FRHT, FREIGHTLINER LLC, FREIGHTLINER TRUCKS, FRGHT, FTL, DAIMLER TRUCKS, DTNA, FL, FRTL,
    FRTLR, FRGHTLNR, FRT LINER, FRT, FLINER, F LINER
  `),
  'Freightliner Custom Chassis': ['FCCC', 'FREIGHTLINER CUSTOM CHASSIS CORP'],
  Peterbilt: toList('PETE, PTRB, PETERBUILT, PETBLT, PB, PTB, PBLT, PBT, PETERBILT MOTORS'),
  Kenworth: toList('KW, KENW, KEN, KNWTH, KWTH, KENWORTH TRUCK, KENWORTH MOTOR TRUCK'),
  Mack: ['MACK TRUCKS', 'MCK'],
  Volvo: toList('VOLVO TRUCK, VOLVO TRUCKS, VOLV, VLVO, VOL, VNL, VNR, VHD, WHITEGMC VOLVO, VOLVO GM'),
  'Western Star': toList('WSTR, WST, WEST STAR, W STAR, WESTERNSTAR, WESTERN STAR TRUCKS'),
  Hino: ['HINO MOTORS', 'HINO TRUCKS', 'HIN'],
  Isuzu: toList('ISU, ISUZ, ISZ, ISUZU COMMERCIAL TRUCK, ISUZU TRUCK, ISUZU MOTORS'),
  Ford: toList('FORD MOTOR COMPANY, FRD, FORD TRUCK, FORD COMMERCIAL'),
  Chevrolet: toList('CHEVY, CHEV, CHV, CHVY, CHEVROLET TRUCK'),
  GMC: toList('GENERAL MOTORS, GM, GMC TRUCK, GMC COMMERCIAL'),
  Ram: ['RAM TRUCKS', 'RAM COMMERCIAL', 'DODGE RAM'],
  Dodge: ['DODGE TRUCK', 'DODG'],
  'Mitsubishi Fuso': toList(`
    FUSO, MITSUBISHI FUSO TRUCK OF AMERICA, MITSUBISHI, MITS FUSO, MITSU FUSO, MITSUBISHI TRUCK, MFTA,
    MITSUBISHI-FUSO
  `),
  Rizon: ['RIZON TRUCKS'],
  UD: toList('UD TRUCKS, NISSAN DIESEL, NISSAN UD, UDTRUCKS'),
  Sterling: toList('STERLING TRUCK, STRL, STRLG, STRG, STLG, STER'),
  Autocar: toList('AUTOCAR TRUCK, ACTT, AUTO CAR, AUTC, AUTOC'),
  WhiteGMC: toList('WHITE GMC, WHITE, WGMC, WHGM'),
  Oshkosh: ['OSHKOSH TRUCK', 'OSHK', 'OSH KOSH'],
  Pierce: ['PIERCE MANUFACTURING'],
  'E-One': ['EONE', 'EMERGENCY ONE'],
  Spartan: ['SPARTAN MOTORS', 'SPARTAN CHASSIS', 'SHYFT'],
  'Blue Bird': toList('BLUEBIRD, BLUB, BLBD, BBIRD, BLUE BIRD BODY'),
  'Thomas Built': toList('THOMAS, THOM, THMS, THOMAS BUILT BUSES, TBB'),
  'IC Bus': toList('IC, IC CORPORATION, IC CORP, IC BUS LLC, AMTRAN'),
  Workhorse: ['WORKHORSE CUSTOM CHASSIS', 'WCC'],
  BYD: ['BYD MOTORS', 'RIDE'],
  Nikola: ['NIKOLA MOTOR'],
  Tesla: ['TESLA SEMI', 'TESLA MOTORS'],
  Xos: ['XOS TRUCKS'],
  Lion: ['LION ELECTRIC', 'LION ELECTRIQUE', 'LION ELECTRICO'],
  'Battle Motors': ['BATTLE'],
  'Crane Carrier': ['CCC', 'CRANE CARRIER COMPANY'],
  'Mercedes-Benz': toList('MERCEDES, MERCEDES BENZ, MB, SPRINTER, MBZ, MERZ'),
  Nissan: ['NISSAN NORTH AMERICA'],
  Toyota: ['TOYOTA MOTOR'],
  Caterpillar: ['CAT'],
  Marmon: ['MARMON MOTOR'],
  'Marmon-Herrington': [],
  Prevost: [],
  MCI: ['MOTOR COACH INDUSTRIES'],
  'Van Hool': [],
  'American LaFrance': ['ALF'],
  Kalmar: ['KALMAR OTTAWA', 'KALMAR INDUSTRIES', 'OTTAWA'],
  Capacity: ['CAPACITY OF TEXAS', 'CAPACITY TRUCKS'],
  TICO: [],
  Rosenbauer: [],
  Bering: [],
  Kovatch: ['KME'],
  Ferrara: [],
  Seagrave: [],
  HME: [],
} as const satisfies Record<string, readonly string[]>;

/** Makes that share plants or badges, so that a truck of one may have a VIN of another. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(['Dodge', 'Ram', 'Chrysler', 'Jeep']),
  new Set(['Chevrolet', 'GMC', 'Isuzu', 'Workhorse']),
  new Set([
    'Freightliner',
    'Freightliner Custom Chassis',
    'Mercedes-Benz',
    'Dodge',
    'Sterling',
    'Western Star',
    'Thomas Built',
  ]),
  new Set(['International', 'IC Bus', 'Ford', 'Chevrolet']),
  new Set(['Volvo', 'WhiteGMC', 'GMC', 'Mack', 'Autocar']),
  new Set(['Nissan', 'UD']),
  new Set(['Crane Carrier', 'Battle Motors']),
];

/** True if a truck of one make may have a VIN of the other. */
export const mayShareVins = (one: string, other: string): boolean =>
  one === other || FAMILIES.some((family) => family.has(one) && family.has(other));
