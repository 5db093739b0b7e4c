import * as z from 'zod/mini';
import { about, Email, Id, ISO_TIME, IsoTime, isTime, line, Nullable, nameSchema } from '../../truck/json.ts';
import { KEY_KINDS, ROLES, SCOPES, TIERS } from '../access.ts';
import { Slug } from '../dealers/schemas.ts';

/** Schemas of the operator API under /api/admin. */

const settings = {
  name: about(line(200), 'Name.', 'Lone Star Group'),
  tier: z.enum(TIERS),
  limit_multiplier: about(
    z.int().check(z.gte(1), z.lte(100)),
    'Factor on the limits of calls and storage, 1 to 100.',
    1,
  ),
  min_feed_cadence_minutes: about(
    z.int().check(z.gte(1), z.lte(10_080)),
    'Fastest feed cadence in minutes.',
    60,
  ),
  in_market: about(
    z.boolean(),
    'False: the account’s listings are left out of market data, as those of tests and demonstrations are.',
    true,
  ),
};

const Test = about(
  z.boolean(),
  'A test account: its keys begin with `ctis_sk_test_`, it is never in market data, and no mail is sent for it. Cannot be changed.',
  false,
);

export const AccountCreate = z.object({
  ...settings,
  limit_multiplier: z._default(settings.limit_multiplier, 1),
  min_feed_cadence_minutes: z._default(settings.min_feed_cadence_minutes, 60),
  in_market: z._default(settings.in_market, true),
  test: z._default(Test, false),
});

export const AccountPatch = z.partial(z.object({ ...settings, suspended: z.boolean() }));

export const IdParams = z.object({ id: about(Id, 'Id.') });

export const AccountAnswer = nameSchema(
  'Account',
  z.object({
    id: z.string(),
    ...settings,
    suspended: z.boolean(),
    test: Test,
    erasing: about(
      z.boolean(),
      'An owner asked to erase it: it is suspended, and its data is removed from `erase_at` on.',
      false,
    ),
    erase_at: about(
      Nullable.time,
      'When its erasure begins. Until then any owner can undo it. Null if none is planned or, with `erasing` true, once begun.',
    ),
    created_at: IsoTime,
    updated_at: IsoTime,
  }),
  'An account.',
);
export type Account = z.output<typeof AccountAnswer>;

export const AccountsAnswer = z.object({ accounts: z.array(AccountAnswer), next_cursor: Nullable.text });

const Origin = z
  .string()
  .check(
    z.maxLength(300),
    z.toLowerCase(),
    z.regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, 'must be an origin such as https://dealer.example'),
  );

const Scope = z.enum(SCOPES);
const Scopes = about(
  z.array(Scope).check(
    z.minLength(1),
    z.maxLength(5),
    z.overwrite((scopes) => [...new Set(scopes)]),
  ),
  'What the key may do; without it, or null: everything. A call outside of it is FORBIDDEN.',
  ['inventory:read', 'inventory:write'],
);
const Dealers = about(
  z.array(Slug).check(z.minLength(1), z.maxLength(1)),
  'The only dealer that the key can use; absent or null: all. Such a key reads and writes the dealer’s trucks, leads and profile, and nothing that belongs to the whole account.',
  ['lone-star-trucks'],
);

const TIME = 'must be a time in UTC such as 2027-01-01T00:00:00Z';
const KeyEnd = z.stringFormat('date-time', ISO_TIME, TIME).check(z.refine(isTime, TIME));

export const Origins = about(
  z.array(Origin).check(
    z.maxLength(50),
    z.overwrite((origins) => [...new Set(origins)]),
  ),
  'Origins a publishable key may be used from.',
  ['https://dealer.example'],
);

/** What may be chosen of a key. */
export const NewKey = z.object({
  kind: z.enum(KEY_KINDS),
  allowed_origins: z._default(Origins, []),
  name: z.nullish(about(line(100), 'What the key is for.', 'DMS sync')),
  scopes: z.nullish(Scopes),
  dealers: z.nullish(Dealers),
  expires_at: z.nullish(about(KeyEnd, 'From then on the key is refused.', '2027-01-01T00:00:00Z')),
});
export type NewKey = z.output<typeof NewKey>;
export const KeyCreate = z.object({ account_id: Id, ...NewKey.shape });

const key = {
  id: z.string(),
  account_id: z.string(),
  kind: z.enum(KEY_KINDS),
  prefix: about(z.string(), 'The readable start of the key.'),
  key: about(Nullable.text, 'The key itself if it is publishable; null for a secret key.'),
  allowed_origins: z.array(z.string()),
  name: Nullable.text,
  scopes: about(z.nullable(z.array(Scope)), 'Null: all.'),
  dealers: about(z.nullable(z.array(z.string())), 'Null: all.'),
  expires_at: Nullable.time,
  created_at: IsoTime,
  created_by: about(z.string(), 'The person who made it, or `operator`.', 'operator'),
  last_used_at: Nullable.time,
  last_origin: about(Nullable.text, 'Of the page that used it last; of publishable keys.'),
  revoked_at: Nullable.time,
};

export const KeyAnswer = nameSchema('ApiKey', z.object(key), 'An API key.');
export type ApiKey = z.output<typeof KeyAnswer>;

export const NewKeyAnswer = nameSchema(
  'NewApiKey',
  z.object({ ...key, key: about(z.string(), 'The key itself. A secret key is in this response only.') }),
  'A new API key.',
);
export const KeysQuery = z.object({ account_id: about(Id, 'Whose keys.') });
export const KeysAnswer = z.object({ keys: z.array(KeyAnswer) });

export const SignInLinkCreate = z
  .object({
    account_id: z.optional(Id),
    email: z.optional(about(Email, 'The person to let in.', 'owner@dealer.example')),
    role: z._default(
      about(
        z.enum(ROLES),
        'Role of a new person. An existing person keeps theirs; `member` for an owner is refused.',
      ),
      'owner',
    ),
  })
  .check(
    z.refine(({ account_id, email }) => (account_id === undefined) === (email === undefined), {
      path: ['email'],
      error: 'and account_id go together; without both the link is the operator’s',
    }),
  );

export const SignInLinkAnswer = nameSchema(
  'SignInLink',
  z.object({
    url: about(z.string(), 'Signs in once.'),
    expires_at: IsoTime,
    person: about(
      z.nullable(z.object({ id: z.string(), email: z.string(), role: z.enum(ROLES) })),
      'Null: the operator.',
    ),
  }),
  'A link to the dashboard that signs in once.',
);
