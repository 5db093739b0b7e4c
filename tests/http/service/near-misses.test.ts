import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { documentedSchema } from '../../../lib/truck/json.ts';
import { findNearMiss } from '../../../lib/truck/names/near-miss.ts';
import { expectRefused, sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** A typing slip in a body narrows or changes nothing without a word; what resembles no member passes. */

const service = await startService();
const account = await service.newAccount();

const optionalMembers = ({ body }: Endpoint): string[] => {
  const { shape = {} } = (body ? documentedSchema(body) : {}) as { shape?: Record<string, { type: string }> };
  return Object.keys(shape).filter((name) => shape[name]?.type !== 'string');
};
const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const swapLetters = (name: string) => name.slice(0, 2) + name[3] + name[2] + name.slice(4);

/** Ways to misspell a member, each unlike every name that the route knows. */
const misspell = (name: string, names: readonly string[]) =>
  [toCamelCase(name), toSnakeCase(name), `${name}s`, ...(name.length > 3 ? [swapLetters(name)] : [])].filter(
    (slip) => !names.includes(slip) && !(name.length < 4 && slip === `${name}s`),
  );

const WRITES = ENDPOINTS.filter(({ body }) => body !== undefined);

describe.each(WRITES)('$id', (endpoint) => {
  test('a member all but a known one is refused by name, as is a dry run, and an honest extra is not', async () => {
    const stage = { service, account: await service.newAccount({ limit_multiplier: 100 }) };
    const sample = await sampleFor(stage, endpoint);
    const json = sample.json as Record<string, unknown>;
    const names = optionalMembers(endpoint);
    const absent = names.filter((one) => !Object.hasOwn(json, one));
    const slips = absent.flatMap((name) => misspell(name, names));
    // A dry run asked for in the body would else be a write.
    for (const slip of [...slips, 'dry_run', 'dryRun', 'dry-run']) {
      const refusal = await sendTo(stage, endpoint, { ...sample, json: { ...json, [slip]: 'a' } });
      expect(refusal.body?.error?.code, slip).toBe(endpoint.bodyCode ?? 'INVALID_PAYLOAD');
      expect(refusal.body.error.details, slip).toMatchObject({ field: slip, reason: 'unknown_field' });
    }
    const extras = { fax: '1', phone2: '2', country: 'US', external_id: 7, logo: 'x', tags: [] };
    const answer = await sendTo(stage, endpoint, { ...sample, json: { ...extras, ...json } });
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

test('a misspelt provider sells nothing, alone, in bulk, and by POST', async () => {
  const { vin } = goodTruck();
  for (const provider of ['a', 'b']) await account.post(goodTruck({ vin, source_provider_id: provider }));
  const slip = { vin, status: 'sold', sourceProviderId: 'a' };
  expectRefused(await account.patch(slip), 400, 'INVALID_PAYLOAD');
  const bulk = await account.patch({ records: [slip] });
  expect(bulk.body.results[0]).toMatchObject({ outcome: 'rejected', error: { code: 'INVALID_PAYLOAD' } });
  await account.post(slip);
  const wrapped = { records: [{ vin, status: 'sold' }], sourceProviderId: 'a' };
  expectRefused(await account.patch(wrapped), 400, 'INVALID_PAYLOAD');
  const results = await account.call('GET', `/v1/inventory?q=${vin}&status=available`);
  expect(results.body.listings).toHaveLength(2);
});

test('only names a slip away are near misses', () => {
  const names = ['name', 'email', 'zip', 'lead_email', 'source_provider_id'];
  const slips = {
    nmae: 'name',
    'e-mail': 'email',
    ZIP: 'zip',
    lead_emial: 'lead_email',
    sorce_provider_id: 'source_provider_id',
  };
  for (const [slip, name] of Object.entries(slips))
    expect(findNearMiss({ [slip]: 1 }, names)).toEqual({ unknownName: slip, knownName: name });
  const honest = ['fname', 'zips', 'email2', 'lead_phone', 'x'.repeat(999)];
  expect(findNearMiss(Object.fromEntries(honest.map((name) => [name, 1])), names)).toBeNull();
  expect(findNearMiss({ email: 'a', emails: ['b'] }, names)).toBeNull();
});
