import { proveField } from './prove.ts';

/** `npm run prove-field`: shows that one entry of the record table is all that a new field needs. */

const findings = await proveField();
for (const { place, actual, hasPassed } of findings)
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'} ${place}: ${JSON.stringify(actual)}`);
process.exitCode = findings.every(({ hasPassed }) => hasPassed) ? 0 : 1;
