import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../../lib/contract/accounts/access.ts';
import { ENDPOINTS } from '../../../lib/endpoints/index.ts';
import { scopeFor } from '../../../lib/http/guards/scope.ts';
import { SAMPLES } from '../../support/samples/samples.ts';
import { startService } from '../../support/service/service.ts';

/** What a key may be limited to: scopes, one dealer, an end. */

const service = await startService();
// It makes more keys than other tiers have at a time.
const account = await service.newAccount({ tier: 'enterprise' });

const newKey = async (limits: object) => {
  const made = await service.admin('POST', '/api/admin/keys', {
    account_id: account.id,
    kind: 'secret',
    ...limits,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
};

const ofKeys = ENDPOINTS.filter(({ guard }) => guard === 'secret-key' || guard === 'widget');

describe.each(ofKeys)('$id', (endpoint) => {
  const send = async (token: string) => {
    const { path, json } = (await SAMPLES[endpoint.id]?.({ service, account })) ?? { path: '' };
    return service.call(endpoint.method, path, { token, ...(json === undefined ? {} : { json }) });
  };
  const scope = scopeFor(endpoint);

  test.skipIf(scope === null)('needs its scope, and no other', async () => {
    const others = await newKey({ scopes: SCOPES.filter((other) => other !== scope) });
    const refused = await send(others.key);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.details).toMatchObject({ reason: 'scope_missing', scope });
    const { key } = await newKey({ scopes: SCOPES.filter((own) => own === scope) });
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
