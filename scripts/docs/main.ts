import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { ROOT } from './deployment.ts';
import { describeService } from './describe-service.ts';
import { record } from './record.ts';
import { RECORDING, serializeRecording } from './recording.ts';

/** `npm run docs`: writes what the service answers, the OpenAPI documents, then the docs site. */
const recording = await record();
await writeFile(RECORDING, serializeRecording(recording));
for (const [path, audience] of [
  ['public/openapi.json', 'sellers'],
  ['docs/openapi-operators.json', 'operators'],
] as const) {
  const document = await describeService(recording.examples, audience);
  await writeFile(join(ROOT, path), `${JSON.stringify(document, null, 2)}\n`);
}
await buildSite();
