/** Where a value of a listing comes from. */
export const ORIGINS = ['record', 'vin', 'dealer', 'gazetteer', 'geocoder'] as const;
export type Origin = (typeof ORIGINS)[number];
