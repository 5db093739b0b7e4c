import { HOME } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { FRESHEST } from '../../inventory/queries/listing-json.ts';
import { UPLOAD_FEED } from '../feed.ts';

/** The file that a person of the account sent last, and the feed that takes it. */

export interface KeptFile {
  id: string;
  name: string;
  /** In base64, which every driver passes on alike. */
  content: string;
}

/** In the place of what was kept before; false while that is being listed. */
export const insertUpload = async (db: Sql, accountId: string, { id, name, content }: KeptFile) =>
  (await db.query(KEEP, [accountId, id, name, content])).length > 0;

/** Null when it is not kept any more. */
export async function readUpload(db: Sql, accountId: string, id: string) {
  const [file] = await db.query<KeptFile>(READ, [accountId, id]);
  return file ?? null;
}

/** How an uploaded file is read. */
export interface UploadReading {
  dealer: string | null;
  mapping: Readonly<Record<string, string | null>>;
  /** The file is the whole lot: what earlier uploads had and it lacks is delisted. */
  isWhole: boolean;
}

/** Has the account's upload feed take this file; false when another is kept by now. Keeps it until the transaction ends. */
export const takeUpload = async (
  db: Sql,
  accountId: string,
  fileId: string,
  { dealer, mapping, isWhole }: UploadReading,
) => (await db.query(TAKE, [accountId, fileId, dealer, JSON.stringify(mapping), isWhole])).length > 0;

/** Of each truck the provider of the listing that its dealer shows of its VIN; null for one that is not listed. */
export async function readProviders(
  db: Sql,
  accountId: string,
  trucks: readonly { vin: string; dealer: string }[],
) {
  const rows = await db.query<{ provider: string | null }>(PROVIDERS, [accountId, JSON.stringify(trucks)]);
  return rows.map(({ provider }) => provider);
}

/** Across all accounts: removes what is older than a day; returns how many those were. */
export const sweepUploads = async (db: Sql) => (await db.query(SWEEP)).length;

const KEEP: Statement = {
  timeout: 'ingest',
  text: `
    insert into uploads as u (account_id, id, name, content) values ($1, $2, $3, decode($4, 'base64'))
    on conflict (account_id) do update set id = excluded.id, name = excluded.name, content = excluded.content,
      changed_at = excluded.changed_at
    where not exists (
      select 1 from feed_runs where account_id = $1 and feed_id = '${UPLOAD_FEED}' and status in ('queued', 'running'))
    returning 1 as one`,
};

const READ: Statement = {
  timeout: 'ingest',
  text: `select id, name, encode(content, 'base64') as content from uploads where account_id = $1 and id = $2`,
};

const TAKE: Statement = {
  text: `
    with kept as materialized (
      select id from uploads where account_id = $1 and id = $2 for update
    )
    insert into feeds (account_id, id, name, protocol, url, dealer, mapping, enabled, is_whole)
    select home.account_id, '${UPLOAD_FEED}', 'Uploads', 'https', id, $3, $4::json, false, $5::boolean from ${HOME}, kept
    on conflict (account_id, id) do update set url = excluded.url, dealer = excluded.dealer,
      mapping = excluded.mapping, is_whole = excluded.is_whole, file_sha256 = null, file_etag = null, file_last_modified = null
    returning 1 as one`,
};

/** Of several listings of a VIN the one that GET by VIN returns, but none of another dealer. */
const PROVIDERS: Statement = {
  timeout: 'ingest',
  text: `
    select (
      select source_provider_id from listings
      where account_id = $1 and vin = sent.value->>'vin' and version > 0
        and (sent.value->>'dealer' = '' or coalesce(dealer, sent.value->>'dealer') = sent.value->>'dealer')
      order by ${FRESHEST} limit 1) as provider
    from json_array_elements($2::json) with ordinality as sent(value, no) order by sent.no`,
};

const SWEEP: Statement = {
  timeout: 'job',
  text: `/* all accounts */ delete from uploads where changed_at < now() - interval '1 day' returning 1 as one`,
};
