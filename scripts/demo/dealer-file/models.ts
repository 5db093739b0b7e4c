import { toList } from '../../../lib/contract/record/to-list.ts';

/**
 * What stands on the lots: models that are really sold, with the first eight VIN characters their makers use,
 * usual weights, bodies as dealers write them, and a new price in US dollars.
 */
export interface Model {
  make: string;
  name: string;
  /** How often it is seen, relative to the others. */
  weight: number;
  class: number;
  /** GVWR in lb. */
  gvwr: readonly number[];
  /** First eight VIN characters. */
  vin: readonly string[];
  /** VIN position 11. */
  plants: string;
  letteredSerial?: boolean;
  /** First and last model year; no last one: still built. */
  from?: number;
  until?: number;
  bodies: readonly string[];
  engines: readonly (readonly [name: string, horsepower: number])[];
  transmissions: readonly string[];
  drivetrain: string;
  fuel?: string;
  newPrice: number;
  /** Miles a year. */
  use: number;
}

const SLEEPERS = ['Sleeper', 'CONVENTIONAL SLEEPER', 'Sleeper', 'Tractor Sleeper', 'Day Cab', 'DAYCAB'];
const DAY_CABS = ['Day Cab', 'DAYCAB', 'Day Cab Tractor', 'Conventional Day Cab'];
const VOCATIONAL = toList(`
  DUMP, Dump Truck, Mixer Truck, Roll Off Truck, Cab & Chassis, Water Truck, Crane Truck
`);
const MEDIUM = toList(`
  Box Truck - Straight Truck, BOX TRUCK, Reefer Truck, Flatbed, Rollback Tow, Cab and Chassis, Stakebed,
  Bucket Truck - Boom Truck, Fuel Truck - Lube Truck
`);
const LIGHT = toList(`
  Service Truck, Flatbed, DUMP, Utility Truck - Service Truck, Cab & Chassis, Landscape Truck,
  Wrecker Tow Truck
`);
const LOW_CAB = toList(`
  Box Truck, BOX TRUCK, Landscape Truck, Stakebed, Cab & Chassis, Reefer Truck, Flat Bed
`);
const REFUSE = ['Garbage Truck', 'Refuse Truck', 'Front Loader', 'Rear Loader'];

const DT12 = 'Detroit DT12 12-speed automated';
const EATON = 'Eaton UltraShift Plus 10-speed automated';
const MANUAL = 'Eaton Fuller 13-speed manual';
const ALLISON = 'Allison 2500 RDS automatic';
const ALLISON_HD = 'Allison 4500 RDS automatic';
const ENDURANT = 'Eaton Endurant 12-speed automated';
const AUTOMATIC = '6-speed automatic';

const PACCAR: Model['engines'] = [
  ['PACCAR MX-13', 455],
  ['Cummins X15', 485],
];
const B67: Model['engines'] = [
  ['Cummins B6.7', 240],
  ['Cummins B6.7', 260],
  ['Cummins L9', 300],
];

const heavy = {
  class: 8,
  drivetrain: '6x4',
  plants: 'DLN',
  use: 82_000,
  newPrice: 172_000,
  bodies: SLEEPERS,
} as const;
const work = {
  class: 8,
  drivetrain: '6x4',
  plants: 'JMP',
  use: 22_000,
  newPrice: 188_000,
  bodies: VOCATIONAL,
} as const;
const medium = { drivetrain: '4x2', plants: 'HJS', use: 21_000, newPrice: 98_000, bodies: MEDIUM } as const;
const light = { drivetrain: '4x4', plants: 'EDG', use: 17_000, newPrice: 78_000, bodies: LIGHT } as const;
const lowCab = { drivetrain: '4x2', plants: '7KS', use: 19_000, newPrice: 66_000, bodies: LOW_CAB } as const;

const CASCADIA: Model['engines'] = [
  ['Detroit DD15', 455],
  ['Detroit DD15', 505],
  ['Detroit DD13', 450],
  ['Cummins X15', 500],
];
const A26: Model['engines'] = [
  ['International A26', 450],
  ['Cummins X15', 475],
];
const POWER_STROKE: Model['engines'] = [['6.7L Power Stroke V8', 330]];
const GODZILLA: Model['engines'] = [['7.3L V8', 335]];
const DURAMAX: Model['engines'] = [['6.6L Duramax', 350]];
const RAM_CUMMINS: Model['engines'] = [['Cummins 6.7L', 360]];
const HINO_J08: Model['engines'] = [['Hino J08E', 230]];
const ISUZU_4HK1: Model['engines'] = [['Isuzu 4HK1-TC', 215]];

// biome-ignore format: a table reads best with one model per line
export const MODELS: readonly Model[] = [
  { ...heavy, make: 'Freightliner', name: 'Cascadia 126', weight: 15, gvwr: [52_000, 52_350], vin: ['1FUJGLDR', '3AKJHHDR', '3AKJGLDR'], letteredSerial: true, engines: CASCADIA, transmissions: [DT12, DT12, MANUAL] },
  { ...heavy, make: 'Freightliner', name: 'Cascadia 116', weight: 3, gvwr: [52_000], vin: ['1FUJGBDV', '3AKJGEDV'], letteredSerial: true, bodies: DAY_CABS, use: 70_000, engines: [['Detroit DD13', 410], ['Cummins X12', 400]], transmissions: [DT12] },
  { ...medium, make: 'Freightliner', name: 'M2 106', weight: 9, class: 6, gvwr: [25_500, 26_000], vin: ['3ALACWFC', '1FVACWDT', '3ALACWDT'], letteredSerial: true, engines: B67, transmissions: [ALLISON] },
  { ...medium, make: 'Freightliner', name: 'M2 106', weight: 3, class: 7, gvwr: [33_000], vin: ['3ALACXFC', '1FVACXDT'], letteredSerial: true, engines: B67, transmissions: [ALLISON, EATON], newPrice: 112_000 },
  { ...work, make: 'Freightliner', name: '114SD', weight: 3, gvwr: [58_000, 66_000], vin: ['3ALHG3DV', '1FVHG3DV'], letteredSerial: true, from: 2012, engines: [['Detroit DD13', 450], ['Cummins L9', 380]], transmissions: [ALLISON_HD, EATON] },
  { ...light, make: 'Freightliner Custom Chassis', name: 'MT45', weight: 2, class: 6, gvwr: [23_000], vin: ['4UZAARDU'], plants: 'C', letteredSerial: true, drivetrain: '4x2', bodies: ['Step Van / Walk-in Van', 'Stepvan'], engines: [['Cummins B6.7', 220]], transmissions: [ALLISON] },
  { ...heavy, make: 'Kenworth', name: 'T680', weight: 10, gvwr: [52_000, 53_220], vin: ['1XKYD49X', '1XKYDP9X'], plants: 'JRM', from: 2013, engines: PACCAR, transmissions: [ENDURANT, MANUAL, 'PACCAR TX-12 automated'] },
  { ...heavy, make: 'Kenworth', name: 'W900L', weight: 2, gvwr: [54_600], vin: ['1XKWD49X', '1XKWDP9X'], plants: 'JR', engines: [['Cummins X15', 565]], transmissions: ['Eaton Fuller 18-speed manual', MANUAL], newPrice: 205_000 },
  { ...work, make: 'Kenworth', name: 'T880', weight: 4, gvwr: [66_000, 73_000], vin: ['1XKZD40X', '1NKZX4TX'], plants: 'JRM', from: 2014, engines: PACCAR, transmissions: [ALLISON_HD, MANUAL] },
  { ...medium, make: 'Kenworth', name: 'T270', weight: 3, class: 6, gvwr: [26_000], vin: ['2NKHHM6X', '3BKHHM6X'], plants: 'M', until: 2021, engines: [['PACCAR PX-7', 240]], transmissions: [ALLISON] },
  { ...medium, make: 'Kenworth', name: 'T370', weight: 2, class: 7, gvwr: [33_000], vin: ['2NKHHN7X'], plants: 'M', until: 2021, engines: [['PACCAR PX-7', 300]], transmissions: [ALLISON], newPrice: 115_000 },
  { ...heavy, make: 'Peterbilt', name: '579', weight: 9, gvwr: [52_000, 53_000], vin: ['1XPBDP9X', '1XPBD49X'], from: 2012, engines: PACCAR, transmissions: [ENDURANT, MANUAL] },
  { ...heavy, make: 'Peterbilt', name: '389', weight: 4, gvwr: [54_000], vin: ['1XPXD49X', '1XPXDP9X'], from: 2008, until: 2024, engines: [['Cummins X15', 565], ['PACCAR MX-13', 510]], transmissions: ['Eaton Fuller 18-speed manual'], newPrice: 215_000 },
  { ...work, make: 'Peterbilt', name: '567', weight: 3, gvwr: [66_000], vin: ['1NPCX7TX', '1NPCL40X'], plants: 'D', from: 2014, engines: PACCAR, transmissions: [ALLISON_HD, MANUAL] },
  { ...medium, make: 'Peterbilt', name: '337', weight: 4, class: 6, gvwr: [26_000], vin: ['2NP2HM6X', '2NP2HN6X'], plants: 'M', until: 2021, engines: [['PACCAR PX-7', 260]], transmissions: [ALLISON] },
  { ...heavy, make: 'Volvo', name: 'VNL 64T 760', weight: 8, gvwr: [52_000, 52_350], vin: ['4V4NC9EH', '4V4NC9EJ'], plants: 'N', engines: [['Volvo D13', 425], ['Volvo D13', 455]], transmissions: ['Volvo I-Shift 12-speed automated'], newPrice: 165_000 },
  { ...heavy, make: 'Volvo', name: 'VNR 300', weight: 3, gvwr: [50_000], vin: ['4V4WC9EG', '4V4WC9EH'], plants: 'N', from: 2018, bodies: DAY_CABS, engines: [['Volvo D11', 405]], transmissions: ['Volvo I-Shift 12-speed automated'], use: 62_000, newPrice: 150_000 },
  { ...heavy, make: 'Mack', name: 'Anthem 64T', weight: 4, gvwr: [52_000], vin: ['1M1AN4GY', '1M1AN3GY'], plants: 'M', from: 2019, engines: [['Mack MP8', 445]], transmissions: ['Mack mDRIVE 12-speed automated'], newPrice: 158_000 },
  { ...heavy, make: 'Mack', name: 'Pinnacle CXU613', weight: 2, gvwr: [52_000], vin: ['1M1AW07Y', '1M2AW07Y'], plants: 'M', until: 2023, bodies: DAY_CABS, engines: [['Mack MP7', 405]], transmissions: ['Mack mDRIVE 12-speed automated', MANUAL], use: 60_000, newPrice: 145_000 },
  { ...work, make: 'Mack', name: 'Granite 64FR', weight: 4, gvwr: [64_000, 73_000], vin: ['1M2GR4GC', '1M2GR2GC'], plants: 'M', engines: [['Mack MP7', 425], ['Mack MP8', 505]], transmissions: [ALLISON_HD, MANUAL] },
  { ...work, make: 'Mack', name: 'LR 64R', weight: 1, gvwr: [66_000], vin: ['1M2LR2GC'], plants: 'M', from: 2016, bodies: REFUSE, engines: [['Mack MP7', 345]], transmissions: [ALLISON_HD] },
  { ...heavy, make: 'International', name: 'LT625', weight: 8, gvwr: [52_000, 52_350], vin: ['3HSKZAPR', '3HSDZAPR'], plants: 'NL', from: 2018, engines: A26, transmissions: [ENDURANT, EATON], newPrice: 155_000 },
  { ...heavy, make: 'International', name: 'ProStar', weight: 3, gvwr: [52_000], vin: ['3HSDJAPR', '3HSDJSJR'], plants: 'N', from: 2008, until: 2017, engines: [['Cummins ISX15', 450]], transmissions: [EATON, MANUAL], newPrice: 140_000 },
  { ...medium, make: 'International', name: 'MV607', weight: 6, class: 6, gvwr: [25_999, 26_000], vin: ['1HTEUMML', '3HAEUMML'], plants: 'HL', from: 2019, engines: B67, transmissions: [ALLISON] },
  { ...medium, make: 'International', name: '4300', weight: 5, class: 6, gvwr: [25_500, 26_000], vin: ['1HTMMMML', '3HAMMMML'], plants: 'HJ', from: 2002, until: 2018, engines: [['Cummins ISB 6.7', 240]], transmissions: [ALLISON], newPrice: 88_000 },
  { ...work, make: 'International', name: 'HV613', weight: 3, gvwr: [60_600, 66_000], vin: ['1HTEGTZR', '3HAEGTZR'], plants: 'NL', from: 2019, engines: A26, transmissions: [ALLISON_HD] },
  { ...light, make: 'International', name: 'CV515', weight: 2, class: 6, gvwr: [23_000], vin: ['1HTKSSWM'], plants: 'H', from: 2019, engines: DURAMAX, transmissions: [AUTOMATIC] },
  { ...heavy, make: 'Western Star', name: '4900SF', weight: 2, gvwr: [56_000, 60_600], vin: ['5KJJAVDR', '5KJJAEDR'], plants: 'P', letteredSerial: true, until: 2022, engines: CASCADIA, transmissions: [MANUAL, DT12], newPrice: 182_000 },
  { ...work, make: 'Western Star', name: '47X', weight: 2, gvwr: [66_000], vin: ['5KKHAVDV'], plants: 'P', letteredSerial: true, from: 2022, engines: [['Detroit DD13', 450]], transmissions: [ALLISON_HD, DT12] },
  { ...medium, make: 'Hino', name: '268', weight: 5, class: 6, gvwr: [25_950], vin: ['5PVNJ8JV', '5PVNJ8JN'], plants: '4', from: 2005, until: 2020, engines: HINO_J08, transmissions: [ALLISON], newPrice: 84_000 },
  { ...medium, make: 'Hino', name: '338', weight: 1, class: 7, gvwr: [33_000], vin: ['5PVNV8JV', '5PVNV8JT'], plants: '4', from: 2005, until: 2020, engines: [['Hino J08E', 260]], transmissions: [ALLISON], newPrice: 93_000 },
  { ...medium, make: 'Hino', name: 'L6', weight: 3, class: 6, gvwr: [25_950], vin: ['5PVNJ7AV'], plants: 'P', from: 2021, engines: [['Cummins B6.7', 240]], transmissions: [ALLISON], newPrice: 96_000 },
  { ...lowCab, make: 'Isuzu', name: 'NPR-HD', weight: 6, class: 4, gvwr: [14_500], vin: ['JALC4W16', '54DC4W1B', '54DC4J1D'], engines: ISUZU_4HK1, transmissions: [AUTOMATIC] },
  { ...lowCab, make: 'Isuzu', name: 'NPR', weight: 3, class: 3, gvwr: [12_000, 13_000], vin: ['JALB4W16', '54DB4W1B'], engines: [['Vortec 6.0L V8', 297]], transmissions: [AUTOMATIC], fuel: 'gasoline', newPrice: 55_000 },
  { ...lowCab, make: 'Isuzu', name: 'NQR', weight: 3, class: 5, gvwr: [17_950], vin: ['JALE5W16', '54DE5W16'], engines: ISUZU_4HK1, transmissions: [AUTOMATIC], newPrice: 71_000 },
  { ...lowCab, make: 'Isuzu', name: 'FTR', weight: 2, class: 6, gvwr: [25_950], vin: ['54DK6S16'], plants: 'S', from: 2018, engines: [['Isuzu 4HK1-TC', 215]], transmissions: [ALLISON], newPrice: 92_000 },
  { ...lowCab, make: 'Mitsubishi Fuso', name: 'FE160', weight: 2, class: 5, gvwr: [17_995], vin: ['JL6CNH1A', 'JL6CRH1A'], plants: 'K', from: 2012, until: 2020, engines: [['Fuso 4P10', 161]], transmissions: ['6-speed DUONIC automated'], newPrice: 58_000 },
  { ...light, make: 'Ford', name: 'F-450', weight: 4, class: 5, gvwr: [16_500], vin: ['1FDUF4HT', '1FD0W4HT', '1FDUF4GT'], engines: POWER_STROKE, transmissions: ['TorqShift 10-speed automatic'] },
  { ...light, make: 'Ford', name: 'F-550', weight: 7, class: 5, gvwr: [18_000, 19_500], vin: ['1FD0W5HT', '1FDUF5HT', '1FDUF5GT'], engines: POWER_STROKE, transmissions: ['TorqShift 10-speed automatic'], newPrice: 84_000 },
  { ...light, make: 'Ford', name: 'F-600', weight: 1, class: 6, gvwr: [22_000], vin: ['1FDFF6KT', '1FDFF6LT'], from: 2021, engines: POWER_STROKE, transmissions: ['TorqShift 10-speed automatic'], newPrice: 86_000 },
  { ...medium, make: 'Ford', name: 'F-650', weight: 4, class: 6, gvwr: [25_600, 26_000], vin: ['1FDNF6DC', '1FDNW6DC'], plants: 'D', engines: [['6.7L Power Stroke V8', 270]], transmissions: [AUTOMATIC], newPrice: 88_000 },
  { ...medium, make: 'Ford', name: 'F-750', weight: 3, class: 7, gvwr: [30_500, 33_000], vin: ['1FDXF7DE'], plants: 'D', engines: [['6.7L Power Stroke V8', 300]], transmissions: [AUTOMATIC] },
  { ...light, make: 'Ford', name: 'E-450', weight: 3, class: 4, gvwr: [14_500], vin: ['1FDFE4FS', '1FDFE4FN'], drivetrain: '4x2', bodies: ['Cutaway Van', 'Box Truck', 'CUBE VAN', 'Shuttle Bus'], engines: GODZILLA, transmissions: [AUTOMATIC], fuel: 'gasoline', newPrice: 58_000 },
  { ...light, make: 'Chevrolet', name: 'Silverado 4500HD', weight: 2, class: 5, gvwr: [16_500], vin: ['1HTKHPVK'], plants: 'H', from: 2019, engines: DURAMAX, transmissions: ['Allison 1700 automatic'] },
  { ...light, make: 'Chevrolet', name: 'Silverado 5500HD', weight: 3, class: 5, gvwr: [19_500], vin: ['1HTKJPVK'], plants: 'H', from: 2019, engines: DURAMAX, transmissions: ['Allison 2750 automatic'], newPrice: 82_000 },
  { ...light, make: 'Chevrolet', name: 'Silverado 6500HD', weight: 2, class: 6, gvwr: [22_000, 23_500], vin: ['1HTKJPVM', '1GB6C6CG'], plants: 'H', from: 2019, engines: DURAMAX, transmissions: ['Allison 2750 automatic'], newPrice: 88_000 },
  { ...lowCab, make: 'Chevrolet', name: '4500 LCF', weight: 2, class: 4, gvwr: [14_500], vin: ['JALCDW16', '54DCDW1B'], from: 2016, engines: ISUZU_4HK1, transmissions: [AUTOMATIC] },
  { ...light, make: 'GMC', name: 'Sierra 3500HD CC', weight: 2, class: 3, gvwr: [13_200, 14_000], vin: ['1GD42VCG', '1GD52TCG'], plants: 'F', engines: DURAMAX, transmissions: ['Allison 1000 automatic'], newPrice: 64_000 },
  { ...light, make: 'Ram', name: '4500', weight: 3, class: 4, gvwr: [15_000, 16_000], vin: ['3C7WRKAL', '3C7WRLEL'], plants: 'G', from: 2011, engines: RAM_CUMMINS, transmissions: ['Aisin 6-speed automatic'] },
  { ...light, make: 'Ram', name: '5500', weight: 4, class: 5, gvwr: [19_500], vin: ['3C7WRNFL', '3C7WRNBL', '3C7WRMAL'], plants: 'G', from: 2011, engines: RAM_CUMMINS, transmissions: ['Aisin 6-speed automatic'], newPrice: 82_000 },
  { ...work, make: 'Autocar', name: 'ACX64', weight: 2, gvwr: [66_000], vin: ['5VCACLUF', '5VCACLAF'], plants: 'H', bodies: REFUSE, engines: [['Cummins L9', 345], ['Cummins L9N', 320]], transmissions: [ALLISON_HD] },
];
