import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeService, ROOT } from './generate.ts';
import { record } from './record.ts';

/** `npm run docs`: writes public/openapi.json, then builds the docs site. */
const { examples } = await record();
const document = await describeService(examples);
await writeFile(join(ROOT, 'public/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
await import('./build-site.ts');
