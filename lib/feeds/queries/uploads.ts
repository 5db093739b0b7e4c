import { enqueue } from '../../adapters/postgres/jobs/enqueue.ts';
import { HOME } from '../../adapters/postgres/listings/home.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { KeptFile, UploadState } from '../uploads/kept-file.ts';

/** Bytes travel as base64, which every driver passes on alike. */
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** In the place of what was kept before; false while that is being listed. */
export async function insertUpload(
  db: Sql,
  accountId: string,
  { id, name, bytes }: KeptFile,
): Promise<boolean> {
  return (await db.query(KEEP, [accountId, id, name, encode(bytes)])).length > 0;
}

/** Null when it is not kept any more. */
export async function readUploadFile(db: Sql, accountId: string, id: string): Promise<KeptFile | null> {
  const [row] = await db.query<{ name: string; content: string }>(READ, [accountId, id]);
  return row ? { id, name: row.name, bytes: Buffer.from(row.content, 'base64') } : null;
}

export async function readUploadState(db: Sql, accountId: string, id: string): Promise<UploadState | null> {
  const [row] = await db.query<UploadState>(STATE, [accountId, id]);
  return row ?? null;
}

/** It is to be listed: what became of its rows so far, and the payload of the job that lists it. */
export async function queueUpload(
  db: Sql,
  accountId: string,
  id: string,
  result: object,
  payload: object,
): Promise<void> {
  await db.query(START, [accountId, id, JSON.stringify(result), JSON.stringify(payload)]);
}

/** Notes what became of its rows so far; `bytes`: what is kept from now on in the place of the file. */
export async function saveUpload(
  db: Sql,
  accountId: string,
  id: string,
  result: object,
  bytes?: Uint8Array,
): Promise<void> {
  await db.query(SAVE, [accountId, id, JSON.stringify(result), bytes ? encode(bytes) : null]);
}

/** Across all accounts: removes what is older than a day; returns how many those were. */
export const sweepUploads = async (db: Sql): Promise<number> => (await db.query(SWEEP)).length;

const KEEP: Statement = {
  role: 'ingest',
  text: `
    insert into uploads as u (account_id, id, name, content) values ($1, $2, $3, decode($4, 'base64'))
    on conflict (account_id) do update set id = excluded.id, name = excluded.name, content = excluded.content,
      result = null, changed_at = excluded.changed_at
    where u.result is null or (u.result ->> 'isDone')::boolean
    returning 1 as one`,
};

const READ: Statement = {
  role: 'ingest',
  text: `select name, encode(content, 'base64') as content from uploads where account_id = $1 and id = $2`,
};

const STATE: Statement = {
  text: `
    select name, result from uploads u
    where u.account_id = $1 and u.id = $2`,
};

const START: Statement = {
  role: 'ingest',
  text: `
    with started as (
      update uploads set result = $3::json, changed_at = now() where account_id = $1 and id = $2 returning id
    ), queued as (${enqueue(`select home.account_id, 'upload', id, $4::json from ${HOME}, started`, ', payload')}
    )
    select id from started`,
};

const SAVE: Statement = {
  role: 'ingest',
  text: `
    update uploads set result = $3::json, content = coalesce(decode($4, 'base64'), content), changed_at = now()
    where account_id = $1 and id = $2`,
};

const SWEEP: Statement = {
  role: 'job',
  text: `delete from uploads where changed_at < now() - interval '1 day' returning 1 as one`,
};
