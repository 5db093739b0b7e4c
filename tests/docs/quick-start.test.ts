import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import { mask } from '../../scripts/docs/mask.ts';
import { sitePages } from '../../scripts/docs/pages/pages.ts';
import { stockMarket } from '../../scripts/docs/record.ts';
import { openRehearsal, remember } from '../../scripts/docs/rehearsal.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useRecording } from '../support/service/recording.ts';

/** A developer who follows the quick start from top to bottom gets what it shows. */

interface Shown {
  sample: string;
  answer: string;
}

/** The curl samples of a page, each with the answer below it. */
function readSamples(page: string): Shown[] {
  const found = page.matchAll(/```sh \[curl\]\n([\s\S]*?)\n```[\s\S]*?```http\n([\s\S]*?)\n```/g);
  return [...found].map(([, sample = '', answer = '']) => ({ sample, answer }));
}

/** Status and body, without what differs from run to run. */
function comparable(answer: string): unknown {
  const status = /^HTTP\/[\d.]+ (\d{3})/.exec(answer)?.[1];
  const body = answer.slice(answer.search(/\n\r?\n/)).trim();
  return [status, body === '' ? null : JSON.parse(mask(JSON.stringify(JSON.parse(body)), () => 0))];
}

test('each call of the quick start, in its order on a new account, is answered as it shows', async () => {
  const page = (await sitePages(await useRecording())).get('quick-start.md') ?? '';
  const samples = readSamples(page);
  expect(samples.length).toBeGreaterThan(12);
  const rehearsal = await openRehearsal(await newDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'quick-start-'));
  const server = serve({ fetch: rehearsal.answer, port: 0, hostname: '127.0.0.1' });
  onTestFinished(async () => {
    server.close();
    await rehearsal.close();
    await rm(folder, { recursive: true });
  });
  await new Promise((listening) => server.once('listening', listening));
  await stockMarket(rehearsal);
  const seller = await rehearsal.newSeller('pro');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const { sample, answer } of samples) {
    const file = join(folder, 'sample.sh');
    await writeFile(file, sample);
    const given = Object.fromEntries([...seller.given].map(([name, value]) => [name.toUpperCase(), value]));
    const env = { BASE: address, KEY: seller.tokens.key ?? '', ...given };
    const printed = await runScript('bash', [file], env);
    remember(seller, printed, null);
    expect(comparable(printed.replaceAll(address, 'https://api.example.com')), sample).toEqual(
      comparable(answer),
    );
  }
});
