import { proveField } from './prove.ts';

/** `npm run prove-field`: shows that one entry of the record table is all that a new field needs. */

const findings = await proveField();
for (const { place, actual, passed } of findings)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${place}: ${JSON.stringify(actual)}`);
process.exitCode = findings.every(({ passed }) => passed) ? 0 : 1;
