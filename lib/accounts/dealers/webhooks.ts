import type { Sql, Statement } from '../../db/sql.ts';
import type { Dealer } from './schemas.ts';

/** What signs the calls of the dealer's webhook, sealed: the newest first, and for a day the one before. */
export async function findWebhookSecrets(db: Sql, accountId: string, slug: string): Promise<string[]> {
  const [row] = await db.query<{ secrets: (string | null)[] }>(SECRETS, [accountId, slug]);
  return row?.secrets.filter((secret) => secret !== null) ?? [];
}

/** Unless the dealer has another URL by now. */
export async function writeWebhookCheck(
  db: Sql,
  accountId: string,
  slug: string,
  url: string,
  check: Dealer['lead_webhook_check'],
): Promise<void> {
  await db.query(
    {
      text: `
        update dealers set lead_webhook_check = $4::jsonb
        where account_id = $1 and slug = $2 and lead_webhook_url = $3`,
    },
    [accountId, slug, url, JSON.stringify(check)],
  );
}

const SECRETS: Statement = {
  text: `
    select json_build_array(lead_webhook_secret,
      case when lead_webhook_old_secret_until > now() then lead_webhook_old_secret end) as secrets
    from dealers where account_id = $1 and slug = $2`,
};
