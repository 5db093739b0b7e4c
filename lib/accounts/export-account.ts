import { type Context, requireAccount } from '../http/context.ts';
import { toAuditEntry } from './audited.ts';

/** All of the account as NDJSON, in pieces: a row with its table on each line. */
export async function exportAccount(ctx: Context): Promise<AsyncIterable<string>> {
  const { id } = requireAccount(ctx);
  await ctx.ports.audit.add(toAuditEntry(ctx, 'account.export', id));
  const parts = await ctx.ports.accountData.of(id).read();
  async function* text() {
    for await (const rows of parts) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  return text();
}
