import { prepared, type Sql } from '../../db/sql.ts';
import type { KeyKind, Scope } from '../access.ts';
import type { Account } from '../operator/schemas.ts';
import { type MarkedLookUp, readAndMark } from '../queries/read-and-mark.ts';
import type { Remembered } from '../remember.ts';

/** Who is calling: a key and its account. */
export interface Principal {
  callerId: string;
  kind: KeyKind;
  allowedOrigins: readonly string[];
  /** Null: all. */
  scopes: readonly Scope[] | null;
  /** The only dealer that the key reaches; null: all. */
  dealer: string | null;
  /** Ms since the epoch; null: never. */
  expiresAt: number | null;
  account: Pick<
    Account,
    'id' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes' | 'suspended' | 'test'
  >;
}

/**
 * The principal of an active key, by the SHA-256 of the key in hex; null when unknown or revoked. `origin` is the page's
 * that sends it, and is noted beside the time. Remembered for 4 s in this process.
 */
export const readPrincipal = (
  { db, principals }: { db: Sql; principals: Remembered<Principal> },
  keyHash: string,
  origin: string | null,
): Promise<Principal | null> =>
  principals.read(keyHash, async () => (await readAndMark<KeyRow>(db, BY_HASH, keyHash, [origin])) ?? null);

type KeyRow = Principal & { is_mark_due: boolean };

const MARK_DUE = `(k.last_used_at is null or k.last_used_at < now() - interval '1 minute')`;

/** Marks the key as used at most once a minute. */
const BY_HASH: MarkedLookUp = {
  read: prepared({
    text: `
      select k.id as "callerId", k.kind, k.allowed_origins as "allowedOrigins", k.scopes, k.dealer,
        date_part('epoch', k.expires_at) * 1000 as "expiresAt", ${MARK_DUE} as is_mark_due,
        json_build_object('id', a.id, 'tier', a.tier, 'limit_multiplier', a.limit_multiplier,
          'min_feed_cadence_minutes', a.min_feed_cadence_minutes, 'suspended', a.suspended, 'test', a.test) as account
      from api_keys k join accounts a on a.id = k.account_id
      where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
  }),
  mark: {
    text: `
      update api_keys k set last_used_at = now(), last_origin = coalesce($2::text, k.last_origin)
      where hash = $1 and ${MARK_DUE}`,
  },
};
