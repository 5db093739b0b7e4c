import { DRIVERS } from './drivers-under-test.ts';
import { testOutages } from './outages.ts';

for (const driver of DRIVERS.slice(0, 1)) testOutages(driver);
