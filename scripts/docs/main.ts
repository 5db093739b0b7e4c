import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { describeService, ROOT } from './describe-service.ts';
import { record } from './record.ts';

/** `npm run docs`: writes the OpenAPI documents, then builds the docs site. */
const recording = await record();
for (const [path, audience] of [
  ['public/openapi.json', 'sellers'],
  ['docs/openapi-operators.json', 'operators'],
] as const) {
  const document = await describeService(recording.examples, audience);
  await writeFile(join(ROOT, path), `${JSON.stringify(document, null, 2)}\n`);
}
await buildSite(recording);
