import { type Context, requireAccount } from '../http/context.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { findPage } from './queries/find.ts';
import { toWords } from './words/words.ts';

/**
 * The account's listings of every status that have one of these words, such as the last six of a VIN or a stock number;
 * as JSON text.
 */
export async function findByNumber(ctx: Context, numbers: readonly string[]): Promise<string> {
  const term = numbers.flatMap((number) => {
    const words = toWords(number);
    return [words, [words.join('')]].map((all) => all.map((text) => ({ text, prefix: false })));
  });
  const filters = { status: LISTING_STATUSES, words: [term] };
  const request = { filters, sort: 'newest', after: null, limit: 100 } as const;
  return (await findPage(ctx.ports.db, requireAccount(ctx).id, request)).listings;
}
