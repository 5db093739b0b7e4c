import { iso } from '../../db/fragments.ts';
import type { Page, Sql } from '../../db/sql.ts';
import { type Dealer, Details } from './schemas.ts';

/** Null when the account has no such dealer. `lock`: whoever names it meanwhile has committed, or waits and finds it gone. */
export async function findDealer(
  db: Sql,
  accountId: string,
  slug: string,
  lock: '' | 'for update' = '',
): Promise<Dealer | null> {
  const text = `select ${DEALER} from dealers where account_id = $1 and slug = $2 ${lock}`;
  const [dealer] = await db.query<Dealer>({ text }, [accountId, slug]);
  return dealer ?? null;
}

/** Those after a slug, by slug; `only`: no other. */
export const findDealers = (
  db: Sql,
  accountId: string,
  { limit, after }: Page,
  onlySlug: string | null = null,
) =>
  db.query<Dealer>(
    {
      text: `
        select ${DEALER} from dealers
        where account_id = $1 and ($2::text is null or slug > $2) and ($4::text is null or slug = $4)
        order by slug limit $3::int`,
    },
    [accountId, after, limit, onlySlug],
  );

export const NAMES = Object.keys(Details.shape);
/** What a dealer is read as. */
export const DEALER = `slug, name, ${NAMES.join(', ')}, lead_webhook_check,
      ${iso('created_at')} as created_at, ${iso('updated_at')} as updated_at`;
