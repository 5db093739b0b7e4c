import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../../lib/ports/faults.ts';
import { parseEvents } from '../../support/oracles/conforms.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { startService } from '../../support/service/service.ts';
import {
  account,
  ask,
  dealer,
  lastLine,
  newVisitor,
  openChat,
  provider,
  service,
  stream,
  tool,
  userTexts,
} from './visitor.ts';

openChat();

describe('a provider that fails', () => {
  test.each([
    { status: 500 },
    { status: 429, headers: { 'retry-after': '60' } },
    { garbage: '<html>', type: 'text/html' },
    { dieAfter: 'No sentence yet' },
  ] as const)(
    'before the first sentence is 500 INTERNAL_ERROR with Retry-After, streamed or not: %j',
    async (move) => {
      const visitorId = newVisitor();
      provider.model = () => move;
      for (const accept of ['application/json', 'text/event-stream']) {
        const answer = await ask({ visitorId }, { accept });
        expectRefused(answer, 500, 'INTERNAL_ERROR');
        expect(answer.headers.get('retry-after')).toBe('10');
        expect(answer.body.error.message).toContain('lead form works');
      }
      provider.model = () => ({ say: 'Welcome back.' });
      expect((await ask({ visitorId })).body.reply).toBe('Welcome back.');
      expect(userTexts()).toEqual([['user', 'What do you have?']]);
    },
  );

  test('in the midst of a stream ends it with an error event; what was said is kept', async () => {
    const visitorId = newVisitor();
    provider.model = () => ({ dieAfter: 'First of all, welcome. Then I wan' });
    const { events } = await stream({ visitorId });
    expect(events.map(({ event }) => event)).toEqual(['start', 'text', 'error']);
    expect(events[2]?.data).toEqual({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('lead form works'),
      retryAfter: 10,
    });
    expect(lastLine()).toMatchObject({
      level: 'error',
      status: 200,
      code: 'INTERNAL_ERROR',
      cut_short: true,
    });
    provider.model = () => ({ say: 'Hello.' });
    await ask({ visitorId });
    expect(userTexts()).toEqual([
      ['user', 'What do you have?'],
      ['assistant', 'First of all, welcome.'],
      ['user', 'What do you have?'],
    ]);
  });

  test('in the midst of a whole answer leaves nothing behind', async () => {
    const visitorId = newVisitor();
    provider.model = () => ({ dieAfter: 'First of all, welcome. Then I wan' });
    expectRefused(await ask({ visitorId }), 500, 'INTERNAL_ERROR');
    provider.model = () => ({ say: 'Hello.' });
    await ask({ visitorId });
    expect(userTexts()).toEqual([['user', 'What do you have?']]);
  });

  test('is not the only thing that may: with the database gone a tool ends the answer as well', async () => {
    const { assistant } = service.ports;
    const broken = await startService(() => ({
      assistant,
      search: {
        of: () => ({
          names: async () => [],
          findPage: () => Promise.reject(new Unavailable('the database does not answer')),
          countWords: async () => [],
          find: async () => {
            throw new Unavailable('the database does not answer');
          },
        }),
      },
    }));
    const call = (accept: string) =>
      broken.call('POST', '/v1/widget/chat', {
        token: account.key,
        json: { message: 'Hi', dealerSlug: dealer, visitorId: newVisitor() },
        headers: { accept },
      });
    provider.model = () => tool('search_inventory', {});
    expectRefused(await call('text/event-stream'), 500, 'INTERNAL_ERROR');
    expectRefused(await call('application/json'), 500, 'INTERNAL_ERROR');
    provider.model = () => ({
      before: 'One moment, please. ',
      call: [{ name: 'search_inventory', args: {} }],
    });
    expect(parseEvents((await call('text/event-stream')).text).map(({ event }) => event)).toEqual([
      'start',
      'text',
      'error',
    ]);
  });

  test('that is not configured is 500 CONFIG_ERROR with Retry-After', async () => {
    const without = await startService(() => ({ assistant: null }));
    const answer = await without.call('POST', '/v1/widget/chat', {
      token: account.key,
      json: { message: 'Hi', dealerSlug: dealer, visitorId: 'v' },
    });
    expectRefused(answer, 500, 'CONFIG_ERROR');
  });
});

describe('refusals', () => {
  test('in their order: 401, INVALID_BODY, FORBIDDEN, TIER_RESTRICTED', async () => {
    const starter = await service.newAccount({ tier: 'starter' });
    const slug = uniqueSlug();
    await starter.call('POST', '/v1/dealers', { slug, name: 'Small' });
    const json = { message: 'Hi', dealerSlug: slug, visitorId: 'v' };
    expectRefused(await service.call('POST', '/v1/widget/chat', { json: {} }), 401, 'UNAUTHORIZED');
    for (const name of ['message', 'dealerSlug', 'visitorId']) {
      const refused = await starter.call('POST', '/v1/widget/chat', {
        ...json,
        dealerSlug: dealer,
        [name]: undefined,
      });
      expectRefused(refused, 400, 'INVALID_BODY');
      expect(refused.body.error.details.field).toBe(name);
    }
    for (const bad of [
      { message: 'x'.repeat(2_001) },
      { message: '  ' },
      { message: 'a\u0000b' },
      { message: '\ud800' },
      { visitorId: 'v'.repeat(129) },
      { conversationId: 7 },
    ])
      expectRefused(await starter.call('POST', '/v1/widget/chat', { ...json, ...bad }), 400, 'INVALID_BODY');
    const foreignDealer = await starter.call('POST', '/v1/widget/chat', { ...json, dealerSlug: dealer });
    expectRefused(foreignDealer, 403, 'FORBIDDEN');
    expectRefused(await starter.call('POST', '/v1/widget/chat', json), 403, 'TIER_RESTRICTED');
    expect(provider.calls).toEqual([]);
  });

  test('a visitor who writes too much is 429 RATE_LIMITED with Retry-After; others are not', async () => {
    const visitorId = newVisitor();
    const answers = await Promise.all(Array.from({ length: 31 }, () => ask({ visitorId, message: 'Hi' })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const answer of refused) {
      expectRefused(answer, 429, 'RATE_LIMITED');
      expect(answer.body.error.details).toMatchObject({ reason: 'over_limit', bucket: 'chat-visitor' });
    }
    expect((await ask()).status).toBe(200);
  });

  test('an account that has used up its day is 429, before anything is asked of the provider', async () => {
    const { limiter } = service.ports;
    const busy = await service.newAccount();
    const slug = uniqueSlug();
    await busy.call('POST', '/v1/dealers', { slug, name: 'Busy' });
    const day = { name: 'chat-day', limit: 2_000, windowSeconds: 86_400 };
    for (let message = 0; message < 2_000; message += 1) await limiter.take(day, busy.id);
    const answer = await busy.call('POST', '/v1/widget/chat', {
      message: 'Hi',
      dealerSlug: slug,
      visitorId: 'v',
    });
    expectRefused(answer, 429, 'RATE_LIMITED');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(provider.calls).toEqual([]);
  });
});
