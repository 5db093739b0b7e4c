import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { selectLead } from '../../../lib/leads/queries/leads.ts';
import { SEND_LIMITS } from '../../../lib/leads/queries/sends.ts';
import { CLEAN_LEADS, FREE_LEADS } from '../../../lib/leads/spam/spam-signals.ts';
import type { Clock } from '../../../lib/outside/system.ts';
import { uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { type Answer, startService } from '../../support/service/service.ts';

/** Leads through the key that stands in a public page: robots are flagged or slowed down, and no lead is lost. */

const PAGE = 'https://dealer.example';
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';

/** Time passes where a test says so. */
let now = Date.now();
const later: Clock = { now: () => now };

const service = await startService(() => ({ clock: later }));
const account = await service.newAccount();
const json = { account_id: account.id, kind: 'publishable', allowed_origins: [PAGE] };
const { key } = (await service.admin('POST', '/api/admin/keys', json)).body;
const dealer = uniqueSlug();
await account.call('POST', '/v1/dealers', { slug: dealer, name: 'Lone Star Trucks' });

interface Visitor {
  visitorId: string;
  ip: string;
  agent: string;
}
let visitors = 0;
const newVisitor = (change: Partial<Visitor> = {}): Visitor => ({
  visitorId: `v-${++visitors}`,
  ip: uniqueIp(),
  agent: BROWSER,
  ...change,
});
/** Calls as the visitor's browser does. */
const call = (method: string, path: string, { ip, agent }: Visitor, body?: object): Promise<Answer> =>
  service.call(method, path, { token: key, ip, headers: { origin: PAGE, 'user-agent': agent }, json: body });

async function visit(visitor: Visitor, slug = dealer): Promise<string> {
  const path = `/v1/widget/inventory?dealerSlug=${slug}&visitorId=${visitor.visitorId}`;
  return (await call('GET', path, visitor)).body.visit;
}

const leave = (visitor: Visitor, lead: Record<string, unknown> = {}): Promise<Answer> => {
  const { visitorId } = visitor;
  const enquiry = { message: 'Hi', dealerSlug: dealer, visitorId, email: 'jane@visitor.example' };
  return call('POST', '/v1/widget/lead', visitor, { ...enquiry, ...lead });
};

async function signals(answer: Answer): Promise<string[]> {
  expect(answer.status, answer.text).toBe(201);
  const lead = await selectLead(service.ports.db, account.id, answer.body.leadId);
  expect(lead?.suspicious).toBe(lead?.spam_signals.length !== 0);
  return lead?.spam_signals ?? ['gone'];
}

describe('a lead of the public', () => {
  test('is flagged when it is too fast, and clean when a person took time for it', async () => {
    const [fast, person] = [newVisitor(), newVisitor()];
    const token = await visit(person);
    expect(await signals(await leave(fast, { visit: await visit(fast) }))).toEqual(['too_fast']);
    now += 3_000;
    expect(await signals(await leave(person, { visit: token, company: ' ' }))).toEqual([]);
  });

  test.each<[string[], Partial<Visitor>, Record<string, unknown>]>([
    [['no_visit'], {}, {}],
    [['honeypot', 'no_visit'], {}, { company: 'Spam Inc' }],
    [['honeypot', 'no_visit'], {}, { company: ['x'] }],
    [['bot', 'no_visit'], { agent: '' }, {}],
    [['bot', 'no_visit'], { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, {}],
  ])('is flagged as %j, and kept: %j %j', async (flags, visitor, lead) => {
    expect(await signals(await leave(newVisitor(visitor), lead))).toEqual(flags);
  });

  test('a visit of another visitor or dealer, a forged or a day-old one, is none', async () => {
    const [visitor, other] = [newVisitor(), newVisitor()];
    const elsewhere = uniqueSlug();
    await account.call('POST', '/v1/dealers', { slug: elsewhere, name: 'Other' });
    const good = await visit(visitor);
    const wrong = [await visit(other), await visit(visitor, elsewhere), `x${good}`, `${good}x`, '', 7];
    now += 3_000;
    for (const token of wrong) {
      const answer = await leave({ ...visitor, ip: uniqueIp() }, { visit: token });
      expect(await signals(answer), String(token)).toEqual(['no_visit']);
      await account.call('DELETE', `/v1/leads/${answer.body.leadId}`);
    }
    now += 24 * 3_600_000;
    expect(await signals(await leave(visitor, { visit: good }))).toEqual(['no_visit']);
  });
});

function solve({ token, difficulty }: { token: string; difficulty: number }): string {
  for (let nonce = 0; ; nonce += 1) if (isSolved(token, nonce, difficulty)) return String(nonce);
}

function isSolved(token: string, nonce: number, difficulty: number): boolean {
  const bits = [...hash('sha256', `${token}.${nonce}`, 'buffer')].map((byte) =>
    byte.toString(2).padStart(8, '0'),
  );
  return bits.join('').startsWith('0'.repeat(difficulty));
}

/** Leads from an address until the next one costs work. */
async function busyAddress(): Promise<string> {
  const ip = uniqueIp();
  for (let n = 0; n < FREE_LEADS.limit; n += 1) expect((await leave(newVisitor({ ip }))).status).toBe(201);
  return ip;
}

describe('an address that leaves many leads', () => {
  test('is given twice the work for each further one, and none that a browser could not finish', async () => {
    const ip = await busyAddress();
    for (const difficulty of [16, 17, 18, 19, 20, 21, 22, undefined]) {
      const { status, headers, body } = await leave(newVisitor({ ip }));
      expect([status, body.error.code, Number(headers.get('retry-after')) > 0]).toEqual([
        429,
        'RATE_LIMITED',
        true,
      ]);
      const challenge = difficulty && { algorithm: 'SHA-256', token: expect.any(String), difficulty };
      expect(body.error.details.challenge).toEqual(challenge);
      expect(body.error.details.fix).toContain(challenge ? 'nonce' : 'Retry-After');
    }
  });

  test('gets one lead in by its work, and none by that of another visitor or address, unfinished, forged or stale work', async () => {
    const ip = await busyAddress();
    const visitor = newVisitor({ ip });
    const challenge = (await leave(visitor)).body.error.details.challenge;
    const proof = { token: challenge.token, nonce: solve(challenge) };
    let idle = 0;
    while (isSolved(challenge.token, idle, 16)) idle += 1;
    const [text, signature] = challenge.token.split('.');
    const [owner, at, salt, bits] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const forge = (...facts: string[]) => {
      const token = `${Buffer.from(JSON.stringify([owner, at, ...facts])).toString('base64url')}.${signature}`;
      return { token, nonce: solve({ token, difficulty: Number(facts[1]) }) };
    };
    const wrong = [{ ...proof, nonce: String(idle) }, forge(`${salt}x`, bits), forge(salt, '1'), 'x', null];
    const expectRefused = async (from: Visitor, body: unknown = proof) =>
      expect((await leave(from, { proof: body })).status, JSON.stringify(body)).toBe(429);
    for (const each of wrong) await expectRefused(visitor, each);
    await expectRefused(newVisitor({ ip }));
    await expectRefused({ ...visitor, ip: await busyAddress() });
    now += 601_000;
    await expectRefused(visitor);
    now -= 601_000;
    expect(await signals(await leave(visitor, { proof }))).toEqual(['no_visit', 'busy_address']);
    await expectRefused(visitor);
  });

  test('has four an hour that are clean for a seller: forty addresses leave room for buyers', async () => {
    const ip = uniqueIp();
    const leaveSlowly = async (visitor: Visitor) => {
      const token = await visit(visitor);
      now += 3_000;
      return signals(await leave(visitor, { visit: token }));
    };
    for (let n = 1; n < CLEAN_LEADS.limit; n += 1)
      await service.ports.limiter.take(CLEAN_LEADS, `${account.id}:${ip}`);
    expect(await leaveSlowly(newVisitor({ ip }))).toEqual([]);
    expect(await leaveSlowly(newVisitor({ ip }))).toEqual(['busy_address']);
    expect(await leaveSlowly(newVisitor())).toEqual([]);
    // Flagged ones may have taken their third.
    expect(40 * CLEAN_LEADS.limit).toBeLessThan((SEND_LIMITS.dealer * 2) / 3);
  });
});
