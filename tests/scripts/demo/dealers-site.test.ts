import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the demo stays with a dealer’s site, whose widget may ask the service for the trucks', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  const child = spawn(process.execPath, ['scripts/demo/main.ts'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' },
    timeout: 90_000,
  });
  const ended = once(child, 'close');
  try {
    let stdout = '';
    for await (const data of child.stdout) {
      stdout += data;
      if (stdout.includes('keeps running')) break;
    }
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/demo$/m.exec(stdout)?.[1] ?? '';
    const home = await (await fetch(`${url}/demo`)).text();
    const [, slug, key] =
      /<script async src="\/widget\.js" data-dealer="([^"]+)" data-key="([^"]+)"/.exec(home) ?? [];
    for (const origin of [url, url.replace('127.0.0.1', 'localhost')]) {
      const inventory = await fetch(
        `${url}/v1/widget/inventory?dealerSlug=${slug}&visitorId=v&q=cascadia&limit=1`,
        { headers: { authorization: `Bearer ${key}`, origin } },
      );
      expect(inventory.status).toBe(200);
      const { vehicles, chat } = (await inventory.json()) as { vehicles: { vin: string }[]; chat: boolean };
      expect(chat).toBe(false);
      const truck = await (await fetch(`${url}/demo/trucks/${vehicles[0]?.vin}`)).text();
      expect(truck).toContain(`"vehicleIdentificationNumber":"${vehicles[0]?.vin}"`);
    }
    const rejects = (await (await fetch(`${url}/demo/rejects.csv`)).text()).split('\r\n');
    expect(rejects.length).toBeGreaterThan(100);
    expect(rejects[0]).toMatch(
      /^fix,(?=.*\bvin\b)(?=.*\byear\b)(?=.*\bmake\b)(?=.*\bmodel\b)(?!.*manufacturer)/,
    );
    expect((await fetch(`${url}/demo/trucks/NOSUCHTRUCK000000`)).ok).toBe(false);
    expect(await (await fetch(`${url}/demo/leads`)).text()).toContain('Dana Whitfield');
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true });
  }
}, 120_000);
