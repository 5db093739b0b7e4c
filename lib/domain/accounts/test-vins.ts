/** VINs by which a test account provokes what else only a fault of the service brings. */
export const TEST_VINS = {
  TEST0000000000001: 'ENRICH_FAILED',
  TEST0000000000002: 'INDEX_FAILED',
  TEST0000000000003: 'DUPLICATE_DEDUP_HASH',
  TEST0000000000004: 'INTERNAL_ERROR',
  TEST0000000000005: 'RATE_LIMITED',
} as const;

export type TestFault = (typeof TEST_VINS)[keyof typeof TEST_VINS];

export const findTestFault = (vin: string): TestFault | null =>
  Object.hasOwn(TEST_VINS, vin) ? TEST_VINS[vin as keyof typeof TEST_VINS] : null;
