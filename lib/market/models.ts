import { type Context, requireAccount } from '../http/context.ts';
import { findWithheld } from './figures/market-rule.ts';
import { toModelWord } from './figures/market-sample.ts';
import { MAX_TRUCKS } from './prices.ts';
import { findOthers } from './queries/trucks.ts';

/** Lists the models of a make that have figures, because enough other sellers have them; sorted. */
export async function listModels(ctx: Context, make: string | null | undefined) {
  if (make == null) return [];
  const { trucks } = await findOthers(ctx.ports.db, requireAccount(ctx).id, { make }, MAX_TRUCKS);
  const byModel = Map.groupBy(trucks, ({ model }) => toModelWord(model)).values();
  return [...byModel]
    .flatMap((others) => (findWithheld(others) === null ? others[0]?.model || [] : []))
    .sort();
}
