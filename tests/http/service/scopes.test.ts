import { describe, expect, test } from 'vitest';
import { MEMBER_SCOPES, SCOPES } from '../../../lib/accounts/access.ts';
import { DealerAnswer, DealerPatch, SavedDealerAnswer } from '../../../lib/accounts/dealers/schemas.ts';
import { scopesFor } from '../../../lib/http/guards/scopes.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { SAMPLES, uniqueSlug } from '../../support/samples/samples.ts';
import { type Answer, startService } from '../../support/service/service.ts';

/** What a key may be limited to: scopes, one dealer, an end. */

const service = await startService();
// It makes more keys than other tiers have at a time.
const account = await service.newAccount({ tier: 'enterprise' });

const newKey = async (limits: object) => {
  const answer = await service.admin('POST', '/api/admin/keys', {
    account_id: account.id,
    kind: 'secret',
    ...limits,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};

const ofKeys = ENDPOINTS.filter(({ guard }) => guard === 'secret-key' || guard === 'widget');

describe.each(ofKeys)('$id', (endpoint) => {
  const send = async (token: string) => {
    const { path, json } = (await SAMPLES[endpoint.id]?.({ service, account })) ?? { path: '' };
    return service.call(endpoint.method, path, { token, ...(json === undefined ? {} : { json }) });
  };
  const scopes = scopesFor(endpoint);

  test.skipIf(scopes.length === 0)('needs its scopes, and no other', async () => {
    for (const scope of scopes) {
      const others = await newKey({ scopes: SCOPES.filter((other) => other !== scope) });
      const refusal = await send(others.key);
      expect([refusal.status, refusal.body.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(refusal.body.error.details).toMatchObject({ reason: 'scope_missing', scope });
    }
    const { key } = await newKey({ scopes });
    const answer = await send(key);
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  test('is refused to a key of one dealer, unless it keeps to that dealer', async () => {
    const { key } = await newKey({ dealers: ['some-other-dealer'] });
    const answer = await send(key);
    if (endpoint.boundToDealer) expect(answer.body?.error?.details?.reason).not.toBe('dealer_key');
    else expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'dealer_key' } });
  });
});

describe('members of a dealer', async () => {
  const [slug, name] = [uniqueSlug(), 'Scoped'];
  const destinations = {
    lead_email: 'crm@dealer.example',
    lead_email_format: 'adf',
    lead_webhook_url: 'https://crm.dealer.example/hook',
  };
  await account.call('POST', '/v1/dealers', { slug, name, ...destinations });
  const stored = async () => (await account.call('GET', `/v1/dealers/${slug}`)).body;
  const readScope = { scopes: ['inventory:read'] };
  const write = { scopes: SCOPES.filter((scope) => scope !== 'leads') };
  const [reader, writer, partner] = await Promise.all(
    [readScope, write, { ...write, dealers: [slug] }].map(newKey),
  );
  const isOfLeads = (member: string) => member.includes('lead');

  test('that are about leads have the scope of leads', () => {
    const members = Object.keys({ ...DealerPatch.shape, ...SavedDealerAnswer.shape }).filter(isOfLeads);
    const scopes = Object.fromEntries(members.map((member) => [member, 'leads']));
    expect(MEMBER_SCOPES.dealer).toEqual(scopes);
  });

  const members = Object.keys(DealerPatch.shape).filter((member) => member !== 'slug');
  test.each(members)('%s is written by a key that has its scope', async (member) => {
    const value = member in destinations || member === 'name' ? (await stored())[member] : true;
    const none = member === 'rotate_lead_webhook_secret' ? false : null;
    const full = await newKey({ scopes: ['inventory:write', 'leads'] });
    for (const one of [value, none])
      for (const [method, { key }] of [
        ['POST', writer],
        ['PATCH', partner],
      ]) {
        const json = { slug, name, [member]: one };
        const { body } = await service.call(method, '/v1/dealers', { token: key, json });
        if (isOfLeads(member))
          expect(body.error).toMatchObject({
            code: 'FORBIDDEN',
            details: { reason: 'scope_missing', scope: 'leads', field: member },
          });
        else expect(body.error?.code).not.toBe('FORBIDDEN');
      }
    expect(await stored()).toMatchObject(destinations);
    const answer = await service.call('PATCH', '/v1/dealers', {
      token: full.key,
      json: { slug, [member]: value },
    });
    expect(answer.body.error?.code).not.toBe('FORBIDDEN');
  });

  test.each(Object.keys(DealerAnswer.shape))('%s is read by a key that has its scope', async (member) => {
    await expect.poll(async () => (await stored()).lead_webhook_check).not.toBeNull();
    const dealer = await stored();
    const one = ({ body }: Answer) =>
      (body.dealers ?? [body]).find((other: { slug: string }) => other.slug === slug);
    const answers = await Promise.all([
      service.call('GET', `/v1/dealers/${slug}`, { token: reader.key }),
      ...[reader, partner].map(({ key }) => service.call('GET', '/v1/dealers?limit=200', { token: key })),
      service.call('PATCH', '/v1/dealers', { token: writer.key, json: { slug } }),
      service.call('POST', '/v1/dealers', { token: writer.key, json: { slug, name } }),
    ]);
    const values = answers.map((answer) => one(answer)[member]);
    if (isOfLeads(member)) {
      expect(dealer[member]).not.toBeNull();
      expect(values).toEqual(answers.map(() => null));
    } else if (member !== 'updated_at') expect(values).toEqual(answers.map(() => dealer[member]));
  });
});

test('a dealer is removed with the way of its leads by a key that may write it', async () => {
  const { key } = await newKey({ scopes: ['inventory:write'] });
  for (const destination of [
    { lead_email: 'crm@dealer.example' },
    { lead_webhook_url: 'https://crm.example/hook' },
  ]) {
    const slug = uniqueSlug();
    await account.call('POST', '/v1/dealers', { slug, name: 'Scoped', ...destination });
    const remove = () => service.call('DELETE', `/v1/dealers/${slug}`, { token: key });
    const refusal = await remove();
    expect(refusal.body.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'scope_missing', scope: 'leads' },
    });
    await account.call('PATCH', '/v1/dealers', { slug, lead_email: null, lead_webhook_url: null });
    expect((await remove()).status).toBe(204);
  }
});

const NUMBERS = (['counts', 'usage'] as const).flatMap((record) =>
  Object.entries(MEMBER_SCOPES[record]).map(([member, scope]) => [record, member, scope] as const),
);
test.each(NUMBERS)('%s.%s is read with %s', async (record, member, scope) => {
  for (const scopes of [[scope], SCOPES.filter((other) => other !== scope)]) {
    const { key } = await newKey({ scopes });
    const { body } = await service.call('GET', '/v1/account', { token: key });
    expect(body[record][member] !== null).toBe(scopes.includes(scope));
  }
});

test('a narrow key sees no other key of its account', async () => {
  await account.call('GET', '/v1/account');
  for (const limits of [{ scopes: ['market'] }, { expires_at: '2099-01-01T00:00:00Z' }]) {
    const { id, key } = await newKey(limits);
    await service.call('GET', '/v1/account', { token: key });
    const { usage } = (await service.call('GET', '/v1/account', { token: key })).body;
    expect(usage).toMatchObject({ day: 2, month: 2, keys: [{ id, day: 2 }] });
    expect(usage.keys).toHaveLength(1);
  }
});
