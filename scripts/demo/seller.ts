import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { SignInLinkAnswer } from '../../lib/contract/accounts/operator.ts';
import { DealersAnswer, SavedDealerAnswer } from '../../lib/contract/dealers/dealers.ts';
import { type Client, client, Refused } from './client.ts';
import { newAccount } from './new-account.ts';
import { WidgetKey } from './site/site.ts';

/** The demo's seller, kept in DATA_DIR/demo.json (readable by its owner only) so that a second run meets its trucks. */
const Seller = z.object({
  account_id: z.string(),
  key: z.string(),
  dealer: z.string(),
  /** How long the first run took, in ms: its push and all of it. The file is named by what it was made from. */
  first_run: z.nullable(z.object({ file: z.string(), push_ms: z.number(), total_ms: z.number() })),
  /** The key of the widget on the dealer's site. */
  widget: z.optional(WidgetKey),
});
export type Seller = z.output<typeof Seller>;

const SLUG = 'heartland-truck-group';
const NAME = 'Heartland Truck Group';
const PHONE = '(214) 555-0142';
const WEEKDAY = [{ opens: '07:30', closes: '18:00' }];
const HOURS = {
  mon: WEEKDAY,
  tue: WEEKDAY,
  wed: WEEKDAY,
  thu: WEEKDAY,
  fri: WEEKDAY,
  sat: [{ opens: '08:00', closes: '13:00' }],
};
/** The dealer's mailbox, and its owner's. */
export const LEADS = 'leads@heartland.example';

/** The seller of an earlier run if its key still works, else a new account with a secret key; and its dealer. */
export async function demoSeller(
  url: string,
  adminToken: string,
  file: string,
): Promise<{ seller: Seller; isNew: boolean }> {
  const known = await keptSeller(file);
  if (known !== null && (await stillWorks(client(url, known.key)))) return { seller: known, isNew: false };
  const { id, key } = await newAccount(url, adminToken, { name: NAME, tier: 'pro' });
  const dealer = await registerDealer(client(url, key));
  const seller: Seller = { account_id: id, key, dealer, first_run: null };
  await keepSeller(file, seller);
  return { seller, isNew: true };
}

/** A link that signs in to the seller's dashboard once. */
export async function dashboardLink(url: string, adminToken: string, accountId: string): Promise<string> {
  const made = await client(url, adminToken).call({
    method: 'POST',
    path: '/api/admin/sign-in-links',
    body: { account_id: accountId, email: LEADS },
    answer: SignInLinkAnswer,
  });
  return made.url;
}

/** Where the seller is kept. */
export const sellerFile = (dataDir: string) => join(dataDir, 'demo.json');

export async function keepSeller(file: string, seller: Seller): Promise<void> {
  await writeFile(file, `${JSON.stringify(seller, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}

async function keptSeller(file: string): Promise<Seller | null> {
  try {
    return z.parse(Seller, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

async function stillWorks(seller: Client): Promise<boolean> {
  try {
    const { dealers } = await seller.call({ method: 'GET', path: '/v1/dealers', answer: DealersAnswer });
    return dealers.length > 0;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return false;
    throw error;
  }
}

async function registerDealer(seller: Client): Promise<string> {
  const { slug } = await seller.call({
    method: 'POST',
    path: '/v1/dealers',
    // Without a mail server, leads for this address become files in DATA_DIR/outbox.
    body: {
      slug: SLUG,
      name: NAME,
      city: 'Dallas',
      state: 'TX',
      zip: '75236',
      phone: PHONE,
      lead_email: LEADS,
      sms: PHONE,
      hours: HOURS,
      reply_minutes: 10,
    },
    answer: SavedDealerAnswer,
  });
  return slug;
}
