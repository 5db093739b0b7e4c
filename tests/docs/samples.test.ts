import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { afterAll, describe, expect, test } from 'vitest';
import type { Call } from '../../scripts/docs/call.ts';
import { isForAll, LANGUAGES, type Language } from '../../scripts/docs/languages.ts';
import { stockMarket, storySteps } from '../../scripts/docs/record.ts';
import { openRehearsal, remember, SECRETS, type Seller } from '../../scripts/docs/rehearsal.ts';
import { STORY } from '../../scripts/docs/story.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { startInterpreter } from '../support/processes/interpreter.ts';
import { runScript } from '../support/processes/run-script.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

/** Every sample of the docs is run as it is shown, from the first call to the last, each language on an account of its own. */

const folder = await suiteFolder();
const rehearsal = await openRehearsal(await newDatabase());
await stockMarket(rehearsal);
const server = serve({ fetch: rehearsal.answer, port: 0, hostname: '127.0.0.1' });
await new Promise((listening) => server.once('listening', listening));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  await rehearsal.close();
});

/** How a sample is started, by language; C# needs a compiler that Debian does not have. */
const RUN = {
  curl: ['bash', 'sample.sh'],
  JavaScript: [process.execPath, 'sample.mjs'],
  Python: ['python3', 'sample.py'],
  PHP: ['php', 'sample.php'],
} as const satisfies Partial<Record<Language, readonly [command: string, file: string]>>;
const isInstalled = ([command]: readonly [string, string]) => spawnSync(command, ['--version']).status === 0;

const toEnv = ({ tokens, given }: Seller) => ({
  BASE: base,
  KEY: tokens.key ?? '',
  WIDGET_KEY: tokens['widget-key'] ?? '',
  ADMIN_TOKEN: SECRETS.operator,
  CRON_SECRET: SECRETS.cron,
  ...Object.fromEntries([...given].map(([name, value]) => [name.toUpperCase(), value])),
});

/** The file with what the docs show of a call. */
async function write(name: string, language: Language, call: Call): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, LANGUAGES[language].toSample(call));
  return file;
}

/** The status that a sample prints: first, or in a status line. */
const readStatus = (printed: string) => Number(/^(?:HTTP\/[\d.]+ )?(\d{3})\b/.exec(printed)?.[1]);

describe.each(Object.entries(RUN) as [keyof typeof RUN, [string, string]][])('%s', (language, how) => {
  test.skipIf(!isInstalled(how) && !process.env.CI)('samples are answered as the pages say', async () => {
    const seller = await rehearsal.newSeller('pro');
    const interpreter = language === 'curl' ? null : startInterpreter(language);
    for (const [name, { call, status = 200 }] of storySteps()) {
      const printed =
        interpreter && isForAll(call)
          ? await interpreter.run(await write(`${name}-${how[1]}`, language, call), toEnv(seller))
          : await runScript('bash', [await write('sample.sh', 'curl', call)], toEnv(seller));
      expect(readStatus(printed), `${name}: ${printed}`).toBe(status);
      remember(
        seller,
        printed,
        /^etag: (.*)$/im.exec(printed)?.[1]?.trim() ?? (await readEtag(seller, name)),
      );
    }
    interpreter?.end();
  });

  /** Only curl prints headers. */
  async function readEtag(seller: Seller, step: string): Promise<string | null> {
    if (step !== 'read') return null;
    const headers = { authorization: `Bearer ${seller.tokens.key}` };
    const answer = await fetch(`${base}/v1/inventory/3AKJHHDR0KSKA1234`, { headers });
    return answer.headers.get('etag');
  }
});

/** How the polling program of docs/sync.md is called, by language. */
const POLL = {
  JavaScript: `const vins = [];
const since = await poll(process.argv[2], ({ vin }) => vins.push(vin));
console.log(JSON.stringify({ since, vins }));`,
  Python: `import sys
vins = []
since = poll(sys.argv[1], lambda truck: vins.append(truck["vin"]))
print(json.dumps({"since": since, "vins": vins}))`,
};

describe.each(Object.entries(POLL))('%s', (language, run) => {
  const how = RUN[language as keyof typeof POLL];
  test.skipIf(!isInstalled(how) && !process.env.CI)(
    'the program that polls hands over everything once, then what changed',
    async () => {
      const guide = await readFile(new URL('../../docs/sync.md', import.meta.url), 'utf8');
      const program = new RegExp(`\`\`\`\\w+ \\[${language}\\]\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
      const file = join(folder, how[1]);
      await writeFile(file, `${program}\n${run}`);
      const seller = await rehearsal.newSeller('pro');
      const poll = async (since: string) => JSON.parse(await runScript(how[0], [file, since], toEnv(seller)));
      const { 'post-truck': post, sold, batch } = STORY;
      for (const { call } of [post, batch]) await rehearsal.perform(call, seller);
      const first = await poll('');
      expect(first.vins.toSorted()).toEqual(['1XKYD49X7NJ471003', '3AKJHHDR0KSKA1234', 'JALC4W167M7001004']);
      await rehearsal.perform(sold.call, seller);
      expect((await poll(first.since)).vins).toContain('3AKJHHDR0KSKA1234');
    },
  );
});

test('C# samples name what the others do: method, path, headers and body', () => {
  for (const [name, { call }] of storySteps().filter(([, step]) => isForAll(step.call))) {
    const sample = LANGUAGES['C#'].toSample(call);
    const { method, path, json, headers = {} } = call as typeof call & { json?: unknown; headers?: object };
    expect(sample.toLowerCase(), name).toContain(`httpmethod.${method.toLowerCase()},`);
    expect(sample, name).toContain(path.split('{{')[0]);
    for (const header of Object.keys(headers)) expect(sample, name).toContain(`"${header}"`);
    const body = /"""\n([\s\S]*)\n {4}"""/.exec(sample)?.[1];
    expect(body === undefined ? undefined : JSON.parse(body), name).toEqual(json);
    expect(sample.split('(').length, name).toBe(sample.split(')').length);
  }
});
