import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { suiteFolder } from '../support/processes/suite-folder.ts';
import { freePort } from '../support/servers/ports.ts';

/** The receivers of signed leads in docs/leads.md, run as they are shown. */

const SECRET = `whsec_${Buffer.alloc(24, 'lead').toString('base64')}`;
const GUIDE = readFileSync(new URL('../../docs/leads.md', import.meta.url), 'utf8');
const folder = await suiteFolder();
const processes: ChildProcess[] = [];
afterAll(() => {
  for (const child of processes) child.kill();
});

const readSample = (label: string) =>
  new RegExp(`\`\`\`\\w+ \\[${label}\\]\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? '';

/** Its address, once it listens. */
async function start(
  label: string,
  command: string,
  toOptions: (file: string, port: number) => string[],
  file: string,
) {
  const path = join(folder, file);
  writeFileSync(path, readSample(label));
  const port = await freePort();
  const env = { PATH: process.env.PATH, LEAD_SECRET: SECRET, PORT: String(port) };
  processes.push(spawn(command, toOptions(path, port), { env, stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url, { method: 'POST', body: '{}' }), { timeout: 20_000 });
  return url;
}

describe.each([
  ['JavaScript', process.execPath, (file: string) => [file], 'leads.mjs'],
  ['Python', 'python3', (file: string) => [file], 'leads.py'],
  ['PHP', 'php', (file: string, port: number) => ['-S', `127.0.0.1:${port}`, file], 'leads.php'],
] as const)('%s', (label, command, toOptions, file) => {
  const isInstalled = spawnSync(command, ['--version']).status === 0;

  test.skipIf(!isInstalled && !process.env.CI)('takes a lead that is signed, and no other', async () => {
    const url = await start(label, command, toOptions, file);
    const body = JSON.stringify({ type: 'lead.created', data: { name: 'José “Pepe” Núñez' } });
    const send = async (sentAt: Date, text = body, secret = SECRET) => {
      const headers = {
        'webhook-id': 'msg_lead_1',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_lead_1', sentAt, body)}`,
      };
      return (await fetch(url, { method: 'POST', headers, body: text })).status;
    };
    const now = new Date();
    expect(await send(now)).toBe(204);
    expect(await send(now, body.replace('Pepe', 'Pep'))).toBe(401);
    expect(await send(now, body, `whsec_${Buffer.alloc(24, 'else').toString('base64')}`)).toBe(401);
    expect(await send(new Date(now.getTime() - 3_600_000))).toBe(401);
    const strange = { 'webhook-id': 'x', 'webhook-timestamp': 'soon', 'webhook-signature': 'v1,ÄÖÜ' };
    expect((await fetch(url, { method: 'POST', headers: strange, body })).status).toBe(401);
  });
});

test('C# compares the same signature in constant time', () => {
  const sample = readSample('C#');
  for (const part of ['HMACSHA256.HashData(secret, signed)', 'FixedTimeEquals', '"v1,"', '< 300'])
    expect(sample).toContain(part);
});
