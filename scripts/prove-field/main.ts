import { proveField } from './prove.ts';

/** `npm run prove-field`: shows that one entry of the record table is all that a new field needs. */

const findings = await proveField();
for (const { what, found, passed } of findings)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${what}: ${JSON.stringify(found)}`);
process.exitCode = findings.every(({ passed }) => passed) ? 0 : 1;
