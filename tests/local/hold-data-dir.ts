import { openDataDir } from '../../lib/local/data-dir.ts';

/** Takes the data folder named on the command line, says `won` or `lost: <message>`, and holds it until stdin closes. */
const [folder = ''] = process.argv.slice(2);
try {
  const dataDir = openDataDir(folder);
  process.stdout.write('won\n');
  process.stdin.resume().on('end', () => {
    dataDir.release();
    process.exit(0);
  });
} catch (error) {
  process.stdout.write(`lost: ${error instanceof Error ? error.message : error}\n`);
}
