/**
 * Model series by make: what names the make where a model stands in its place, and what VINs call by factory codes. Only
 * names that are nobody else's; consumer models are here because they prove what a dual-use make's vehicle is.
 */
export const SERIES: Readonly<Record<string, string>> = {
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
};

/** Trade names of factory codes, by make: what a VIN decodes to and what the trade calls it. */
export const TRADE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  International: {
    ...{ SF625: 'WorkStar 7400', SF637: 'WorkStar 7400', SF637S: 'WorkStar 7400', SF667: 'WorkStar 7600' },
    ...{ MA025: 'DuraStar 4300', MA035: 'DuraStar 4400', MA045: 'DuraStar 4400', SA525: 'WorkStar 7300' },
    ...{ LF687: 'ProStar', LF627: 'ProStar', LF667: 'ProStar', LF647: 'ProStar' },
  },
  Kenworth: {
    T3: 'T3 Series (T300, T370)',
    T2: 'T2 Series (T270)',
    T8: 'T800',
    T6: 'T6 Series (T600, T660, T680)',
    W9: 'W900',
  },
};
