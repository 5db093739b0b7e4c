import { type Context, requireAccount } from '../http/context.ts';
import { findPage } from './queries/find.ts';
import type { SearchFilters } from './request.ts';

const MAX_CLOSEST = 6;

/** What is given up, one after the other, until something is found; the dealer and what is no truck never. */
const RELAXATIONS: readonly (readonly (keyof SearchFilters)[])[] = [
  ['price_min', 'price_max', 'mileage_min', 'mileage_max', 'year_min', 'year_max', 'year'],
  ['class', 'condition', 'state', 'near', 'fuel_type', 'words'],
  ['make', 'model'],
  ['body_type'],
];

/** When nothing matches: the newest trucks that match most of it, as JSON text. */
export async function findClosest(ctx: Context, filters: SearchFilters): Promise<string> {
  const isAsked = (name: keyof SearchFilters) => filters[name] != null;
  // Words that are read as nothing are close to nothing.
  if (!RELAXATIONS.flat().some((name) => name !== 'words' && isAsked(name))) return '[]';
  let relaxed = filters;
  for (const names of RELAXATIONS) {
    if (!names.some(isAsked)) continue;
    relaxed = { ...relaxed, ...Object.fromEntries(names.map((name) => [name, null])) };
    const request = { filters: relaxed, sort: 'newest', after: null, limit: MAX_CLOSEST } as const;
    const { listings } = await findPage(ctx.ports.db, requireAccount(ctx).id, request);
    if (listings !== '[]') return listings;
  }
  return '[]';
}
