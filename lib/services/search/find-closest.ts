import type { SearchFilters } from '../../ports/search.ts';
import { type Context, requireAccount } from '../context.ts';

const MAX_CLOSEST = 6;

/** What is given up, one after the other, until something is found; the dealer and what is no truck never. */
const RELAXATIONS: readonly (Partial<SearchFilters> & object)[] = [
  { price_range: null, mileage_range: null, year_range: null, year: null },
  { class: null, condition: null, state: null, fuel_type: null, words: null },
  { make: null, model: null },
  { body_type: null },
];

const NAMES = RELAXATIONS.flatMap((relaxation) => Object.keys(relaxation) as (keyof SearchFilters)[]);

/** When nothing matches: the newest trucks that match most of it, as JSON text. */
export async function findClosest(ctx: Context, filters: SearchFilters): Promise<string> {
  // Words that are read as nothing are close to nothing.
  if (NAMES.every((name) => name === 'words' || filters[name] === null)) return '[]';
  const search = ctx.ports.search.of(requireAccount(ctx).id);
  let wanted = filters;
  for (const relaxation of RELAXATIONS) {
    const relaxed = { ...wanted, ...relaxation };
    const isSame = Object.keys(relaxation).every((name) => wanted[name as keyof SearchFilters] === null);
    wanted = relaxed;
    if (isSame) continue;
    const { listings } = await search.findPage({
      filters: wanted,
      sort: 'newest',
      after: null,
      limit: MAX_CLOSEST,
    });
    if (listings !== '[]') return listings;
  }
  return '[]';
}
