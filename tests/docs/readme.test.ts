import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXAMPLE_ADDRESS } from '../../scripts/docs/deployment.ts';
import { openRehearsal } from '../../scripts/docs/rehearsal.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const REQUEST =
  /```bash\ncurl -s \$URL(\S+) -H "Authorization: Bearer \$KEY" -d '([^']+)'\n```\n+```json\n(.*?)```/gs;

test('requests of the README are answered as it shows', async () => {
  const rehearsal = await openRehearsal(await newDatabase());
  const { tokens } = await rehearsal.newSeller('pro');
  const requests = [...README.matchAll(REQUEST)];
  expect(requests).toHaveLength(2);
  for (const [, path, body, output = ''] of requests) {
    const request = new Request(EXAMPLE_ADDRESS + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.key}` },
      body: body ?? '',
    });
    const answer = await rehearsal.answer(request);
    expect(await answer.json()).toEqual(
      JSON.parse(output.replaceAll('http://127.0.0.1:3000', EXAMPLE_ADDRESS)),
    );
  }
  await rehearsal.close();
});
