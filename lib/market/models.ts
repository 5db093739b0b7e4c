import { type Context, requireAccount } from '../http/context.ts';
import { findWithheld } from './figures/market-rule.ts';
import { toModelWord } from './figures/market-sample.ts';
import { MAX_TRUCKS } from './prices.ts';
import { findOthers, readOwnModels } from './queries/trucks.ts';

/** Lists the models of a make that the account sells, or that enough other sellers do; sorted. */
export async function listModels(ctx: Context, make: string | null | undefined) {
  if (make == null) return [];
  const { db } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const [{ trucks }, ownModels] = await Promise.all([
    findOthers(db, caller, { make }, MAX_TRUCKS),
    readOwnModels(db, caller, make),
  ]);
  const byModel = Map.groupBy(trucks, ({ model }) => toModelWord(model)).values();
  const common = [...byModel].flatMap((others) => (findWithheld(others) === null ? others : []));
  const spellings = new Map([...common, ...ownModels].map(({ model }) => [toModelWord(model), model]));
  return [...spellings.values()].filter(Boolean).sort();
}
