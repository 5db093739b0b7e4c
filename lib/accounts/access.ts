/** What accounts, keys and people may be, and how much of it. */

export const TIERS = ['starter', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** Chat and market data need it. */
export const isProOrAbove = ({ tier }: { readonly tier: Tier }): boolean => tier !== 'starter';

export const KEY_KINDS = ['secret', 'publishable'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key may be limited to. */
export const SCOPES = ['inventory:read', 'inventory:write', 'leads', 'feeds', 'market'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Members that need a scope of their own beside that of their route, by record: without it they are refused when sent, null
 * too, and null when read.
 */
export const MEMBER_SCOPES = {
  dealer: {
    lead_email: 'leads',
    lead_email_format: 'leads',
    lead_webhook_url: 'leads',
    lead_webhook_check: 'leads',
    lead_webhook_secret: 'leads',
    rotate_lead_webhook_secret: 'leads',
  },
  usage: { listings: 'inventory:read', photo_bytes: 'inventory:read' },
  counts: { listings: 'inventory:read', dealers: 'inventory:read', feeds: 'feeds', leads: 'leads' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Scope>>>>;

/** An owner does everything; a member has no keys, no people, no erasure. */
export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** What an account may store by its tier; times its `limit_multiplier`. */
export const MAX_STORED = {
  /** Not delisted. */
  listings: { starter: 5_000, pro: 100_000, enterprise: 100_000 },
  photo_bytes: { starter: 5e9, pro: 100e9, enterprise: 100e9 },
} as const satisfies Record<string, Record<Tier, number>>;
export type Stored = keyof typeof MAX_STORED;

/** Of one listing, as JSON. */
export const MAX_LISTING_BYTES = 32 * 1024;

/** Keys of an account that may work at a time when its owners make one more; the operator is not bound. */
export const MAX_KEYS = { starter: 20, pro: 50, enterprise: 200 } as const;
/** People of an account when its owners invite one more; no more than the page of people lists, so that nobody is hidden. */
export const MAX_PEOPLE = { starter: 50, pro: 200, enterprise: 500 } as const;

/** How much of it the account may store. `account`: a parameter, or a column of another table. */
export const maxStored = (resource: Stored, account: string) => {
  const cases = TIERS.map((tier) => `when '${tier}' then ${MAX_STORED[resource][tier]}`).join(' ');
  return `(select (case tier ${cases} end)::float8 * limit_multiplier from accounts where id = ${account})`;
};
