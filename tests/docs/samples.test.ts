import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { afterAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import { EXAMPLES } from '../../scripts/docs/examples.ts';
import { FAULTS } from '../../scripts/docs/faults.ts';
import { isForAll, LANGUAGES } from '../../scripts/docs/languages.ts';
import { errorPage } from '../../scripts/docs/pages/error-pages.ts';
import { stockMarket, storySteps } from '../../scripts/docs/record.ts';
import { readRecording } from '../../scripts/docs/recording.ts';
import { openRehearsal, remember, type Seller } from '../../scripts/docs/rehearsal.ts';
import { STORY } from '../../scripts/docs/story.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { runScript } from '../support/processes/run-script.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

/** Programs and commands of the docs are run as they are shown, each language and error page on an account of its own. */

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

const toEnv = ({ tokens, values }: Seller) => ({
  BASE: base,
  KEY: tokens.key ?? '',
  WIDGET_KEY: tokens['widget-key'] ?? '',
  ...Object.fromEntries([...values].map(([name, value]) => [name.toUpperCase(), value])),
});

/** How a program is started, and how the polling program of docs/sync.md, if there is one, is called. */
const PROGRAMS = [
  { language: 'curl', command: 'bash', file: 'sample.sh', poll: null },
  {
    language: 'JavaScript',
    command: process.execPath,
    file: 'sample.mjs',
    poll: `const vins = [];
const since = await poll(process.argv[2], ({ vin }) => vins.push(vin));
console.log(JSON.stringify({ since, vins }));`,
  },
  {
    language: 'Python',
    command: 'python3',
    file: 'sample.py',
    poll: `import sys
vins = []
since = poll(sys.argv[1], lambda truck: vins.append(truck["vin"]))
print(json.dumps({"since": since, "vins": vins}))`,
  },
] as const;

describe.each(PROGRAMS)('$language', ({ language, command, file, poll }) => {
  const isInstalled = spawnSync(command, ['--version']).status === 0;
  const run = async (text: string, seller: Seller, ...args: string[]) => {
    const path = join(folder, file);
    await writeFile(path, text);
    return runScript(command, [path, ...args], toEnv(seller));
  };

  test.skipIf(!isInstalled && !process.env.CI)('samples are answered as the pages say', async () => {
    const seller = await rehearsal.newSeller('pro');
    for (const [name, { call, status }] of storySteps()) {
      if (!isForAll(call)) {
        await rehearsal.perform(call, seller);
        continue;
      }
      const printed = await run(LANGUAGES[language].toSample(call), seller);
      expect(/\b\d{3}\b/.exec(printed)?.[0], `${name}: ${printed}`).toBe(String(status));
      remember(seller, printed, null);
      // Programs print no headers; the call after this one needs the ETag.
      if (name === 'read') await rehearsal.perform(call, seller);
    }
  });

  test.skipIf(poll === null || (!isInstalled && !process.env.CI))(
    'the polling program returns every listing once, then the changes',
    async () => {
      const guide = await readFile(new URL('../../docs/sync.md', import.meta.url), 'utf8');
      const program = new RegExp(`\`\`\`\\w+ \\[${language}\\]\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
      const seller = await rehearsal.newSeller('pro');
      const readChanges = async (since: string) =>
        JSON.parse(await run(`${program}\n${poll}`, seller, since));
      for (const { call } of [STORY['post-truck'], STORY.batch]) await rehearsal.perform(call, seller);
      const first = await readChanges('');
      expect(first.vins.toSorted()).toEqual(['1XKYD49X7NJ471003', '3AKJHHDR0KSKA1234', 'JALC4W167M7001004']);
      await rehearsal.perform(STORY.sold.call, seller);
      expect((await readChanges(first.since)).vins).toContain('3AKJHHDR0KSKA1234');
    },
  );
});

const recording = await readRecording();

const readBlocks = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

const readStatuses = (text: string) => text.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];

test.each(Object.keys(ERRORS) as ErrorCode[])(
  'the error page of %s: its commands are answered as it shows',
  async (code) => {
    const page = errorPage(code, recording);
    const tier = /`\$KEY` is a secret key of a new (\w+) account/.exec(page)?.[1];
    const seller = await rehearsal.newSeller(tier === 'Pro' ? 'pro' : 'starter');
    const run = (command: string) => runScript('bash', ['-c', command], toEnv(seller));

    const commands = readBlocks(page, 'sh');
    const answers = readBlocks(page, 'http').map((answer) => readStatuses(answer)[0]);
    expect(answers[0]).toMatch(new RegExp(`${ERRORS[code].status}$`));
    const preparations = commands.splice(0, commands.length - answers.length);
    for (const command of preparations)
      for (const status of readStatuses(await run(command))) expect(status).toMatch(/20[01]$/);
    const { fault } = EXAMPLES[code];
    const mend = fault && (await FAULTS[fault](rehearsal));
    for (const [index, command] of commands.entries()) {
      const printed = await run(command);
      if (index === 0 && mend) await mend();
      expect(readStatuses(printed), `${command}\n${printed}`).toEqual([answers[index]]);
    }
  },
);
