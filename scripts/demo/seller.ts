import { readFile, writeFile } from 'node:fs/promises';
import type * as z from 'zod/mini';
import type { AccountAnswer, NewKeyAnswer } from '../../lib/accounts/operator/schemas.ts';
import { ErrorEnvelope } from '../../lib/http/error-envelope.ts';

/** Whose token calls which service. */
export interface Caller {
  url: string;
  token: string;
}

/** Calls the API and returns the JSON of its answer; throws what it says otherwise. */
export async function call<Answer>(
  { url, token }: Caller,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    // Enquiries of robots are flagged.
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/142.0' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Answer;
  const { error } = ErrorEnvelope.parse(JSON.parse(text));
  const requestId = response.headers.get('x-request-id');
  throw new Error(
    `${method} ${path} answered ${response.status} ${error.code}: ${error.message} (${requestId})`,
  );
}

export interface Seller {
  accountId: string;
  key: string;
}

export const DEALER = 'heartland-truck-group';
/** The dealer's mailbox, and its owner's. */
export const MAILBOX = 'leads@heartland.example';

/** The seller of an earlier run, kept in `file`, so that its trucks are met again; else a new one with its dealer. */
export async function openSeller(operator: Caller, file: string): Promise<Seller & { isNew: boolean }> {
  const savedSeller = await readFile(file, 'utf8').then(
    (text): Seller => JSON.parse(text),
    () => null,
  );
  const isGood =
    savedSeller &&
    (await call({ ...operator, token: savedSeller.key }, 'GET', '/v1/dealers').catch(() => null));
  if (savedSeller && isGood) return { ...savedSeller, isNew: false };
  const seller = await newSeller(operator, 'Heartland Truck Group (demo)');
  await call({ ...operator, token: seller.key }, 'POST', '/v1/dealers', {
    slug: DEALER,
    name: 'Heartland Truck Group',
    city: 'Dallas',
    state: 'TX',
    zip: '75236',
    phone: '(214) 555-0142',
    // Without a mail server, mails become files in DATA_DIR/outbox.
    lead_email: MAILBOX,
  });
  await writeFile(file, `${JSON.stringify(seller, null, 2)}\n`, { mode: 0o600 });
  return { ...seller, isNew: true };
}

export async function newSeller(operator: Caller, name: string): Promise<Seller> {
  const account: z.output<typeof AccountAnswer> = await call(operator, 'POST', '/api/admin/accounts', {
    name,
    tier: 'pro',
  });
  return { accountId: account.id, key: await newKey(operator, { account_id: account.id, kind: 'secret' }) };
}

export async function newKey(operator: Caller, key: object): Promise<string> {
  const newKey: z.output<typeof NewKeyAnswer> = await call(operator, 'POST', '/api/admin/keys', key);
  return newKey.key;
}
