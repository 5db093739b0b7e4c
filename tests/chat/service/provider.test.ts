import { describe, expect, test } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { choose } from '../../support/servers/openai-server.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { startService } from '../../support/service/service.ts';
import { account, ask, dealer, newVisitor, openChat, provider, service, userTexts } from './visitor.ts';

openChat(1_000);

describe('a provider', () => {
  test.each([{ status: 500 }, { status: 401 }, { status: 429 }])(
    'that refuses is 500 INTERNAL_ERROR with Retry-After, streamed or not: %j',
    async (move) => {
      const visitorId = newVisitor();
      provider.model = () => move;
      for (const accept of ['application/json', 'text/event-stream']) {
        const answer = await ask({ visitorId }, { accept });
        expectRefused(answer, 500, 'INTERNAL_ERROR');
        expect(answer.headers.get('retry-after')).toBe('2');
      }
      provider.model = () => choose({ say: 'greet' });
      expect((await ask({ visitorId })).status).toBe(200);
      expect(userTexts()).toEqual([['user', 'What do you have?']]);
    },
  );

  test.each([{ garbage: '<html>', type: 'text/html' }, { die: true }, { hang: true }] as const)(
    'that returns nonsense or nothing is no failure of the chat: %j',
    async (move) => {
      provider.model = () => move;
      const { status, body } = await ask({ message: 'Show me a Kenworth' });
      expect(status).toBe(200);
      expect(body.vehicles).toHaveLength(1);
    },
  );

  test('that is not configured is 500 CONFIG_ERROR with Retry-After', async () => {
    const without = await startService(() => ({ assistant: null }));
    const json = { message: 'Hi', dealerSlug: dealer, visitorId: 'v' };
    const answer = await without.call('POST', '/v1/widget/chat', { token: account.key, json });
    expectRefused(answer, 500, 'CONFIG_ERROR');
  });
});

describe('refusals', () => {
  test('in their order: INVALID_BODY, FORBIDDEN, TIER_RESTRICTED', async () => {
    const starter = await service.newAccount({ tier: 'starter' });
    const slug = uniqueSlug();
    await starter.call('POST', '/v1/dealers', { slug, name: 'Small' });
    const json = { message: 'Hi', dealerSlug: dealer, visitorId: 'v' };
    const send = (change: object) => starter.call('POST', '/v1/widget/chat', { ...json, ...change });
    for (const name of ['message', 'dealerSlug', 'visitorId']) {
      const response = await send({ [name]: undefined });
      expectRefused(response, 400, 'INVALID_BODY');
      expect(response.body.error.details.field).toBe(name);
    }
    expectRefused(await send({ message: 'x'.repeat(2_001) }), 400, 'INVALID_BODY');
    expectRefused(await send({}), 403, 'FORBIDDEN');
    expectRefused(await send({ dealerSlug: slug }), 403, 'TIER_RESTRICTED');
    expect(provider.calls).toEqual([]);
  });

  test('a visitor who writes too much is 429 RATE_LIMITED with Retry-After; others are not', async () => {
    const visitorId = newVisitor();
    const answers = await Promise.all(Array.from({ length: 31 }, () => ask({ visitorId, message: 'Hi' })));
    const failures = answers.filter(({ status }) => status !== 200);
    expect(failures).toMatchObject([
      {
        status: 429,
        body: { error: { code: 'RATE_LIMITED', details: { reason: 'over_limit', bucket: 'chat-visitor' } } },
      },
    ]);
    expect((await ask()).status).toBe(200);
  });
});
