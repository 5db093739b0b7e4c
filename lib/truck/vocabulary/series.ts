import { toTable } from '../text/table.ts';
import { foldKey } from '../text/text.ts';

/**
 * Model series by make, only those of a single make. They identify the make if a record has a model instead. Consumer models
 * are included, because they identify consumer vehicles of dual-use makes.
 */
export const SERIES: Readonly<Record<string, string>> = toTable({
  Freightliner:
    'Cascadia, Columbia, Coronado, Century Class, Business Class, M2, M2 106, M2 112, 108SD, 114SD, 122SD, FLD120, Argosy, eCascadia, eM2, Econic, EconicSD, MT45, MT55',
  Kenworth:
    'T680, T880, T660, T800, W900, W990, T270, T370, T380, T480, T600, T700, C500, K270, K370, T280, T300, T170, T440, T470',
  Peterbilt: 'Pete 379, Pete 389, Pete 579',
  Volvo: 'VNL, VNR, VHD, VNM, VNX, VAH, VNL860, VNL760, VNL670, VNL780, VNL64T, VHD64',
  Mack: 'Anthem, Granite, Pinnacle, TerraPro, CXU613, CHU613, GU713, MD6, MD7, CV713',
  International:
    'ProStar, LoneStar, WorkStar, DuraStar, PayStar, TranStar, TerraStar, LT625, HV507, HV607, HX520, HX620, MV607, RH613, CV515, eMV',
  'Western Star': '49X, 47X, 57X, 48X, 4900EX, 4900FA, 5700XE',
  Hino: 'Hino 268, Hino 338, XL7, XL8',
  Isuzu: 'NPR, NPR-HD, NPR-XD, NQR, NRR, FTR, FVR, FRR, FSR',
  Ford: 'F-150, F150, F-250, F250, F-350, F350, F-450, F450, F-550, F550, F-600, F600, F-650, F650, F-750, F750, F-59, E-150, E150, E-250, E250, E-350, E350, E-450, E450, E-Series, E-Transit, Econoline, Super Duty, Transit, Transit Connect, Explorer, Expedition, Ranger, Maverick, Escape, Mustang, Bronco, Edge, Fusion, Focus, Excursion, Lightning',
  Chevrolet:
    'Silverado, Express, Kodiak, Colorado, Tahoe, Suburban, Equinox, Traverse, Malibu, Camaro, Blazer, Trailblazer, Express 3500, Express 2500, Silverado 1500, Silverado 2500HD, Silverado 3500HD',
  GMC: 'Sierra, Savana, TopKick, Canyon, Yukon, Acadia, Terrain, Sierra 1500, Sierra 2500HD, Sierra 3500HD, Savana 3500, Savana 2500',
  Ram: 'ProMaster, ProMaster City, ProMaster 3500, Ram 1500, Ram 2500, Ram 3500, Ram 4500, Ram 5500',
  Dodge: 'Durango, Charger, Challenger, Dakota, Journey, Grand Caravan, Caravan',
  'Mitsubishi Fuso': 'Canter, FE160, FE180, FE145, FE84D, FG84D',
  'Mercedes-Benz': 'Metris',
});

/** Models whose cab is above the engine, by make. */
const CABOVERS: Readonly<Record<string, RegExp>> = toTable({
  Isuzu: /./,
  UD: /./,
  'Mitsubishi Fuso': /./,
  Rizon: /./,
  'Crane Carrier': /./,
  'Battle Motors': /./,
  Hino: /^(?:1[57]5|195|M5|S[456])/i,
  Ford: /^LCF/i,
  Chevrolet: /LCF|^W[345]|^[3-7]500 ?(?:HD|XD|HG) ?LCF|low cab forward/i,
  GMC: /^[WT][3-8]\d?500|^W[345]/i,
  Peterbilt: /^(?:220|320|520|362)/,
  Kenworth: /^K[1-3]70/i,
  Mack: /^(?:LR|MR|TerraPro|LEU|MRU)/i,
  Autocar: /^(?:AC|WX|XSPOTTER)/i,
  Freightliner: /^(?:Econic|Argosy|FL[ABLCT]?\b ?86)/i,
});

export const isCabover = (make: string, model: string): boolean => CABOVERS[make]?.test(model) === true;

/** International's trade names by factory code. Source: vPIC, codes with one name. */
export const TRADE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'PayStar 5500i': 'DF557 DR557 DX557',
    'PayStar 5600i': 'DF567 DR567 DW577 DX567 DZ567',
    'PayStar 5900i': 'DA597 DF597 DF677 DF697 DZ597 DZ677 DZ697',
    ProStar:
      'LA617 LA627 LA637 LA647 LA657 LA667 LA677 LA687 LA697 LA707 LA717 LF617 LF627 LF637 LF647 LF657 LF667 LF677 LF687 LF697 LF707 LF717 LT707 LT717',
    LoneStar: 'LF517 LS532 LT517',
    'DuraStar 4100': 'MH045',
    'DuraStar 4200': 'MA015',
    'DuraStar 4300': 'MA025 MA065 MH025 MH065 MR065',
    'DuraStar 4400': 'MA035 MA045 MF035 MH035 MT035',
    'TranStar 8500': 'RA017 RF017',
    'TranStar 8600': 'RA027 RF027',
    'WorkStar 7300': 'SA025 SA515 SA615 SR515',
    'WorkStar 7400': 'SA525 SA625 SF525 SF625 SR525 SX525',
    'WorkStar 7500': 'SA537 SA637 SF537 SF637 SR537 SX537',
    'WorkStar 7600': 'SA547 SA647 SF547 SF647 SX567',
    'WorkStar 7700': 'SA557 SF557 SF657',
    TerraStar: 'TA005 TR005',
  }).flatMap(([model, codes]) => codes.split(' ').map((code) => [code, model] as const)),
);

const FACTORY_CODE = /^[A-Z]{2}\d{3}$/;
/** International's trade names in the series of a decoded VIN, beside a factory code. */
const STARS = /^(?:(?:Dura|Work|Pay|Tran)Star \d{4}i?|(?:Pro|Lone|Terra)Star)/;

/** Returns the trade name of a factory code from the VIN's series, or the model itself. */
export const toTradeName = (model: string, series: string | null): string =>
  (FACTORY_CODE.test(model) && STARS.exec(series ?? '')?.[0]) || model;

/** Axle position, driven wheels, and bumper to back of cab, which do not distinguish models. */
const CONFIGURATION = /^(?:SBA|SFA|[468]X[2468]|113|122)$/;

/**
 * Returns the full trade name if the record has only the factory code or a part of the name that the VIN has: `SF625`,
 * `7400` and `WorkStar` become `WorkStar 7400`.
 */
export function toFullTradeName(model: string, vin: { model: string | null; series: string | null }): string {
  if (vin.model === null || !FACTORY_CODE.test(vin.series ?? '')) return model;
  const parts = new Set([vin.model, vin.series ?? '', ...vin.model.split(' ')].map(foldKey));
  const allWords = model.split(/[\s-]+/).map(foldKey);
  const words = allWords.filter((word) => !CONFIGURATION.test(word));
  const isKnown = parts.has(words.join('')) || words.every((word) => parts.has(word));
  return words.length > 0 && isKnown ? vin.model : model;
}
