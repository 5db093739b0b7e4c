import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../../lib/routes.ts';
import type { Sample } from '../../support/samples/samples.ts';
import { endpointCalls, expectRefused } from '../../support/service/endpoint-calls.ts';
import { startService } from '../../support/service/service.ts';

/** How every endpoint that takes a body reads it. */

const service = await startService();
const account = await service.newAccount();

const { makeSample, send } = endpointCalls({ service, account });

const MIB = 1024 * 1024;

/** A body without a declared length, as chunked transfer brings it. */
function chunked(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 256 * 1024));
      at += 256 * 1024;
    },
  });
}

/** 64 MiB of blanks in 64 KiB. */
const BOMB = gzipSync(Buffer.alloc(64 * MIB, ' '));
/** A few hundred bytes that unpack to 200,000 lists. */
const CROWD = gzipSync(`[${'[],'.repeat(200_000)}[]]`);

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe.each(ENDPOINTS.filter(({ body }) => body !== undefined))('$id', (endpoint) => {
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';

  test('a body over 4 MiB is 400 with the reason, declared or chunked; one of 4 MiB is read', async () => {
    const sample = await makeSample(endpoint);
    const padded = (size: number) => {
      const text = JSON.stringify(sample.json);
      return text + ' '.repeat(size - text.length);
    };
    const over = padded(4 * MIB + 1);
    const declared = await send(endpoint, sample, {
      raw: over,
      headers: { 'content-length': String(over.length) },
    });
    const streamed = await send(endpoint, sample, { raw: chunked(over) });
    for (const answer of [declared, streamed]) {
      expectRefused(answer, 400, code);
      expect(answer.body.error.details.reason).toBe('body_too_large');
    }
    const allowed = await send(endpoint, sample, { raw: chunked(padded(4 * MIB)) });
    expect(allowed.status, allowed.text).toBeLessThan(300);
  });

  test('a body that is no JSON object is 400 with the route’s code and a reason, whatever its Content-Type', async () => {
    const sample = await makeSample(endpoint);
    const bodies = [
      '',
      ' ',
      '{',
      '{"a":1',
      '{"a":1}}',
      "{'a':1}",
      '{"a":NaN}',
      'undefined',
      '\u0000',
      '\ufeff',
      'a=1',
      'null',
      'true',
      '7',
      '"text"',
      '[]',
      '[{}]',
      '-0',
      '1e999',
      nested(33),
      nested(200_000),
      '['.repeat(200_000) + ']'.repeat(200_000),
      '['.repeat(200_000),
    ];
    for (const [index, raw] of bodies.entries()) {
      const type = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'][index % 3] ?? '';
      const answer = await send(endpoint, sample, { raw, headers: { 'content-type': type } });
      expectRefused(answer, 400, code);
    }
    const binary = new Uint8Array([0xff, 0xfe, 0x00, 0x7b, 0x80]);
    expectRefused(await send(endpoint, sample, { raw: binary }), 400, code);
  });

  test('a gzip body is read; a broken one, a bomb and any other encoding are 400', async () => {
    const encoded = async (raw: Uint8Array<ArrayBuffer> | string, encoding: string, sample: Sample) =>
      send(endpoint, sample, { raw, headers: { 'content-encoding': encoding } });
    for (const encoding of ['gzip', ' GZIP ']) {
      const sample = await makeSample(endpoint);
      const answer = await encoded(gzipSync(JSON.stringify(sample.json)), encoding, sample);
      expect(answer.status, answer.text).toBeLessThan(300);
    }
    const sample = await makeSample(endpoint);
    const text = JSON.stringify(sample.json);
    const refusals = [
      ...(['br', 'deflate', 'gzip, gzip', 'nonsense'] as const).map((name) => [
        text,
        name,
        'unsupported_encoding',
      ]),
      [gzipSync(text), '', 'not_utf8'],
      ...[text, gzipSync(text).subarray(0, -9)].map((raw) => [raw, 'gzip', 'invalid_gzip']),
      [BOMB, 'gzip', 'unpacked_too_large'],
      [CROWD, 'gzip', 'too_many_values'],
      [gzipSync(''), 'gzip', 'empty_body'],
    ] as const;
    for (const [raw, encoding, reason] of refusals) {
      const answer = await encoded(raw as string, encoding as string, sample);
      expectRefused(answer, 400, code);
      expect(answer.body.error.details.reason).toBe(reason);
    }
  });

  test('32 levels are read, whatever the Content-Type says', async () => {
    for (const type of ['text/plain', 'application/xml; charset=utf-16', 'nonsense']) {
      const { path, json } = await makeSample(endpoint);
      const deep = { ...(json as object), extra: JSON.parse(nested(31)) };
      const answer = await send(endpoint, { path, json: deep }, { headers: { 'content-type': type } });
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  });
});
