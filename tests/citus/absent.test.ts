import { test } from 'vitest';

/** Stands in for the suites on Citus where there is none. */
test.skip('no Citus here: CITUS_URL names no cluster, and ../shared/citus was not built', () => {});
