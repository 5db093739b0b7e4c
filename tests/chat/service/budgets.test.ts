import { describe, expect, test } from 'vitest';
import { readTokens } from '../../../lib/accounts/usage.ts';
import type { Mail } from '../../../lib/outside/mailer/mailer.ts';
import { uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { type Answer, startService, type TestAccount } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** What the chat may cost, through the key that stands in a public page: nobody ends it for a seller’s visitors. */

const PAGE = 'https://dealer.example';
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const headers = { origin: PAGE, 'user-agent': BROWSER };

/** Limits that only count elsewhere hold for what costs money. */
const service = await startService(({ settings }) => ({ settings: { ...settings, fairUse: 'observe' } }));

async function newSeller(dealers: number) {
  const account = await service.newAccount();
  const json = { account_id: account.id, kind: 'publishable', allowed_origins: [PAGE] };
  const { key: token } = (await service.admin('POST', '/api/admin/keys', json)).body;
  const slugs = Array.from({ length: dealers }, () => uniqueSlug());
  for (const slug of slugs) await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks' });
  return { account, token, slugs };
}

let visitors = 0;
const newVisitor = () => `v-${++visitors}`;

interface Asking {
  token: string;
  slug: string;
  ip?: string;
  visitorId?: string;
  visit?: unknown;
}
const ask = (
  { token, slug, ip = uniqueIp(), visitorId = newVisitor(), visit }: Asking,
  on = service,
): Promise<Answer> =>
  on.call('POST', '/v1/widget/chat', {
    token,
    ip,
    headers,
    json: { message: 'Hi', dealerSlug: slug, visitorId, visit },
  });

async function readVisit(token: string, slug: string, visitorId: string): Promise<string> {
  const path = `/v1/widget/inventory?dealerSlug=${slug}&visitorId=${visitorId}`;
  return (await service.call('GET', path, { token, headers, ip: uniqueIp() })).body.visit;
}

describe('an address', () => {
  test('has nine messages a day without a visit, and forty with the token of one', async () => {
    const { token, slugs } = await newSeller(1);
    const [slug = ''] = slugs;
    const [ip, visitorId] = [uniqueIp(), newVisitor()];
    for (let n = 0; n < 9; n += 1) expect((await ask({ token, slug, ip })).status).toBe(200);
    const strangers = await readVisit(token, slug, newVisitor());
    for (const visit of [undefined, null, 'x', strangers]) {
      const refused = await ask({ token, slug, ip, visitorId, visit });
      expectRefused(refused, 429, 'RATE_LIMITED');
      const { reason, fix } = refused.body.error.details;
      expect([reason, fix]).toEqual(['visit_missing', expect.stringContaining('Send `visit`')]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (let n = 9; n < 40; n += 1) {
      const visitor = newVisitor();
      const visit = await readVisit(token, slug, visitor);
      expect((await ask({ token, slug, ip, visitorId: visitor, visit })).status).toBe(200);
    }
    const visit = await readVisit(token, slug, visitorId);
    const refused = await ask({ token, slug, ip, visitorId, visit });
    expect(refused.body.error.details).toMatchObject({
      reason: 'over_limit',
      bucket: 'chat-address',
      limit: 40,
    });
  });
});

describe('a dealer', () => {
  const spend = async (account: TestAccount, slug: string, count: number) => {
    const half = { name: 'chat-dealer', limit: 1_000, windowSeconds: 86_400 };
    for (let n = 0; n < count; n += 1) await service.ports.limiter.take(half, `${account.id}:${slug}`);
  };

  test('of several has half of the account’s day', async () => {
    const { account, token, slugs } = await newSeller(2);
    const [busy = '', other = ''] = slugs;
    await spend(account, busy, 999);
    expect((await ask({ token, slug: busy })).status).toBe(200);
    const refused = await ask({ token, slug: busy });
    expectRefused(refused, 429, 'RATE_LIMITED');
    expect(refused.body.error.details).toMatchObject({ bucket: 'chat-dealer', limit: 1_000 });
    expect((await ask({ token, slug: other })).status).toBe(200);
  });
});

test('AI_DAILY_TOKENS used up: chat is RATE_LIMITED until midnight; at 80 % one mail goes to SUPPORT_EMAIL', async () => {
  await (await useStore()).sql.query({ text: 'delete from ai_tokens' });
  const mails: Mail[] = [];
  const bounded = await startService(({ settings }) => ({
    settings: { ...settings, aiDailyTokens: 1_000 },
    mailer: { send: async (mail) => void mails.push(mail) },
    assistant: {
      async choose({ onTokens }) {
        onTokens(300);
        return { segments: [{ say: 'greet' }] };
      },
    },
  }));
  const { token, slugs } = await newSeller(1);
  const [slug = ''] = slugs;
  for (const used of [300, 600, 900, 1_200]) {
    expect((await ask({ token, slug }, bounded)).status).toBe(200);
    await expect.poll(() => readTokens(bounded.ports.db)).toBe(used);
  }
  await expect
    .poll(() => mails)
    .toMatchObject([{ to: 'support@trucks.test', text: expect.stringContaining('900 of the 1000') }]);
  const refused = await ask({ token, slug }, bounded);
  expectRefused(refused, 429, 'RATE_LIMITED');
  expect(refused.body.error.details.reason).toBe('daily_tokens_used');
  const waitSeconds = Number(refused.headers.get('retry-after'));
  expect(waitSeconds).toBeGreaterThan(0);
  expect(waitSeconds).toBeLessThanOrEqual(86_400);
  expect((await ask({ token, slug })).status, 'without the variable nothing is counted').toBe(200);
});
