import { expect, test } from 'vitest';
import { readTokens } from '../../../lib/accounts/usage.ts';
import { uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** What the chat may cost, through the key that stands in a public page: nobody ends it for a seller’s visitors. */

const PAGE = 'https://dealer.example';
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const headers = { origin: PAGE, 'user-agent': BROWSER };

/** Limits that only count elsewhere hold for what costs money. */
const service = await startService(({ settings }) => ({ settings: { ...settings, fairUse: 'observe' } }));

let visitors = 0;
const newVisitor = () => `v-${++visitors}`;

/** A seller with two dealers. */
async function newSeller() {
  const account = await service.newAccount();
  const json = { account_id: account.id, kind: 'publishable', allowed_origins: [PAGE] };
  const { key: token } = (await service.admin('POST', '/api/admin/keys', json)).body;
  const [dealerSlug, other] = [uniqueSlug(), uniqueSlug()];
  for (const slug of [dealerSlug, other])
    await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks' });
  return {
    account,
    dealerSlug,
    other,
    ask: (change: object = {}, ip = uniqueIp(), on = service) =>
      on.call('POST', '/v1/widget/chat', {
        token,
        ip,
        headers,
        json: { message: 'Hi', dealerSlug, visitorId: newVisitor(), ...change },
      }),
    async startVisit(visitorId = newVisitor()) {
      const path = `/v1/widget/inventory?dealerSlug=${dealerSlug}&visitorId=${visitorId}`;
      const { visit } = (await service.call('GET', path, { token, headers, ip: uniqueIp() })).body;
      return { visitorId, visit };
    },
  };
}

test('an address has nine messages a day without a visit, and forty with the token of one', async () => {
  const { ask, startVisit } = await newSeller();
  const ip = uniqueIp();
  for (let n = 0; n < 9; n += 1) expect((await ask({}, ip)).status).toBe(200);
  const { visit: strangers } = await startVisit();
  for (const visit of [undefined, 'x', strangers]) {
    const response = await ask({ visit }, ip);
    expectRefused(response, 429, 'RATE_LIMITED');
    expect(response.body.error.details.reason).toBe('visit_missing');
  }
  for (let n = 9; n < 40; n += 1) expect((await ask(await startVisit(), ip)).status).toBe(200);
  const { body } = await ask(await startVisit(), ip);
  const over = { reason: 'over_limit', bucket: 'chat-address', limit: 40 };
  expect(body.error.details).toMatchObject(over);
});

test('a dealer of several has half of the account’s day', async () => {
  const { account, dealerSlug, other, ask } = await newSeller();
  const half = { name: 'chat-dealer', limit: 1_000, windowSeconds: 86_400 };
  for (let n = 0; n < 999; n += 1) await service.ports.limiter.take(half, `${account.id}:${dealerSlug}`);
  expect((await ask()).status).toBe(200);
  const response = await ask();
  expectRefused(response, 429, 'RATE_LIMITED');
  expect(response.body.error.details).toMatchObject({ bucket: 'chat-dealer', limit: 1_000 });
  expect((await ask({ dealerSlug: other })).status).toBe(200);
});

test('AI_DAILY_TOKENS used up: chat is RATE_LIMITED until midnight; at 80 % the log warns once', async () => {
  await (await useStore()).sql.query({ text: 'delete from ai_tokens' });
  const bounded = await startService(({ settings }) => ({
    settings: { ...settings, aiDailyTokens: 1_000 },
    assistant: {
      async choose({ onTokens }) {
        onTokens(300);
        return { segments: [{ say: 'greet' }] };
      },
    },
  }));
  const { ask } = await newSeller();
  const askBounded = () => ask({}, uniqueIp(), bounded);
  for (const count of [300, 600, 900, 1_200]) {
    expect((await askBounded()).status).toBe(200);
    await expect.poll(() => readTokens(bounded.ports.db)).toBe(count);
  }
  const warnings = bounded.log.filter(({ event }) => event === 'ai_tokens');
  expect(warnings).toMatchObject([{ level: 'warn', used: 900, max: 1_000 }]);
  const response = await askBounded();
  expectRefused(response, 429, 'RATE_LIMITED');
  expect(response.body.error.details.reason).toBe('daily_tokens_used');
  const waitSeconds = Number(response.headers.get('retry-after'));
  expect(waitSeconds).toBeGreaterThan(0);
  expect(waitSeconds).toBeLessThanOrEqual(86_400);
  expect((await ask()).status, 'without the variable nothing is counted').toBe(200);
});
