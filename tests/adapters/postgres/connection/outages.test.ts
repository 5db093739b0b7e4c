import { DRIVERS } from './drivers-under-test.ts';
import { testOutages } from './outages.ts';

testOutages(DRIVERS.postgres);
