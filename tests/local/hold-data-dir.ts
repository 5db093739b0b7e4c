import { openDataDir } from '../../lib/local/data-dir.ts';

/** Takes the data folder named on the command line, says `won` and holds it, or ends with the reason. */
openDataDir(process.argv[2] ?? '');
process.stdin.resume();
console.log('won');
