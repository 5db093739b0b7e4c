import type { Sql, Statement } from '../db/sql.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { recordAct } from './audited.ts';

/** What an export holds, in this order. */
const EXPORTED = [
  'dealers',
  'people',
  'feeds',
  'listings',
  'listing_events',
  'issues',
  'leads',
  'lead_updates',
  'lead_deliveries',
  'conversations',
  'messages',
  'audit',
];
const SECRET = '{password,private_key,lead_webhook_secret,lead_webhook_old_secret,hash}';
const PART = 500;

/** All of the account as NDJSON, in pieces: a row with its table on each line; nothing secret. */
export async function exportAccount(ctx: Context): Promise<AsyncIterable<string>> {
  const { id } = requireAccount(ctx);
  const { db } = ctx.ports;
  await recordAct(ctx, { action: 'account.export', target: id });
  return readLines(db, id);
}

/** In the order of the rows' places, which costs no sorting. */
async function* readLines(db: Sql, accountId: string): AsyncIterable<string> {
  for (const table of EXPORTED) {
    for (let after: string | undefined = '(0,0)'; after !== undefined; ) {
      const values = [accountId, after, PART];
      const rows: { place: string; row: object }[] = await db.query(readFrom(table), values);
      yield rows.map(({ row }) => `${JSON.stringify({ table, row })}\n`).join('');
      after = rows.length < PART ? undefined : rows.at(-1)?.place;
    }
  }
}

const readFrom = (table: string): Statement => ({
  timeout: 'job',
  text: `
    select t.ctid::text as place, to_jsonb(t) - '${SECRET}'::text[] as row from ${table} t
    where t.account_id = $1 and t.ctid > $2::tid order by t.ctid limit $3::int`,
});
