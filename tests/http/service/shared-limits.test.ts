import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';
import { stoppedLimits } from '../../support/service/stopped-limits.ts';

/** What keeps one caller from what others need. */

const service = await startService(stoppedLimits);

test('a key’s large bodies count as batches before they are read, whatever is in them', async () => {
  const account = await service.newAccount({ limit_multiplier: 1 });
  const large = gzipSync(`{"x":"${'\\u0041'.repeat(20_000)}`);
  const send = () =>
    service.call('POST', '/v1/inventory', {
      token: account.key,
      raw: large,
      headers: { 'content-encoding': 'gzip' },
    });
  for (let count = 0; count < 10; count += 1) expect((await send()).status).toBe(400);
  const refusal = await send();
  expect([refusal.status, refusal.body.error.details.bucket]).toEqual([429, 'batches']);
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await account.post(cleanTruck())).status).toBe(201);
});

/** Sends these bytes and then nothing more. */
const unending = (bytes: number) => {
  const chunks = bytes > 0 ? [new Uint8Array(bytes)] : [];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks.pop();
      return next ? controller.enqueue(next) : new Promise(() => {});
    },
  });
};

test.each([
  ['by its declared length, before any of it has come', 0, { 'content-length': String(4 * 1024 ** 2) }],
  ['at the chunk that makes it large, its length undeclared', 64 * 1024 + 1, {}],
])('a large body is refused %s', async (_, bytes, headers) => {
  const { key: token } = await service.newAccount({ limit_multiplier: 1 });
  const answers = Array.from({ length: 11 }, () =>
    service.call('POST', '/v1/inventory', { token, raw: unending(bytes), headers }),
  );
  expect((await Promise.race(answers)).status).toBe(429);
  for (const request of answers) void request.catch(() => {});
});
