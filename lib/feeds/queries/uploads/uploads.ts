import type { Sql, Statement } from '../../../adapters/postgres/connection/sql.ts';
import { enqueue } from '../../../adapters/postgres/jobs/enqueue.ts';
import { HOME } from '../../../adapters/postgres/listings/home.ts';
import type { UploadState, Uploads } from '../../../ports/feeds/uploads.ts';

/** Bytes travel as base64, which every driver passes on alike. */
export function postgresUploads(sql: Sql): Uploads {
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    of: (accountId) => ({
      async keep({ id, name, bytes }) {
        return (await sql.query(KEEP, [accountId, id, name, encode(bytes)])).length > 0;
      },
      async read(id) {
        const [row] = await sql.query<{ name: string; content: string }>(READ, [accountId, id]);
        return row ? { name: row.name, bytes: Buffer.from(row.content, 'base64') } : null;
      },
      async state(id) {
        const [row] = await sql.query<UploadState>(STATE, [accountId, id]);
        return row ?? null;
      },
      async start(id, result, payload) {
        await sql.query(START, [accountId, id, JSON.stringify(result), JSON.stringify(payload)]);
      },
      async save(id, result, bytes) {
        await sql.query(SAVE, [accountId, id, JSON.stringify(result), bytes ? encode(bytes) : null]);
      },
    }),
    sweep: async () => (await sql.query(SWEEP)).length,
  };
}

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
