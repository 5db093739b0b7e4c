import { openDataDir } from '../../lib/local/data-dir.ts';

/**
 * Takes the data folder named on the command line at the moment named there (ms since the epoch), says `won` or
 * `lost: <message>`, and holds it until stdin closes.
 */
const [folder = '', moment = '0'] = process.argv.slice(2);
while (Date.now() < Number(moment)) {
  // Busy, so that all contenders start in the same millisecond.
}
try {
  const dataDir = await openDataDir(folder);
  process.stdout.write('won\n');
  process.stdin.resume().on('end', () => {
    dataDir.release();
    process.exit(0);
  });
} catch (error) {
  process.stdout.write(`lost: ${error instanceof Error ? error.message : error}\n`);
}
