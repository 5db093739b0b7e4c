import { DAY_MS } from '../../truck/time.ts';

/** Spells for sale, computed from the histories of listings. */

export interface HistoryStep {
  /** ms since the epoch. */
  at: number;
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'vanished' | 'relisted';
  price: number | null;
}

/** A listing's history, oldest step first. */
export interface History {
  /** Account id; never in an answer. */
  seller: string;
  vin: string;
  steps: readonly HistoryStep[];
}

/** The time between a truck's arrival on a lot and its departure. */
export interface Spell {
  from: number;
  /** Null while the truck is for sale. */
  to: number | null;
  ending: 'sold' | 'delisted' | 'vanished' | null;
  /** The seller whose listing began the spell, or ended it. */
  seller: string;
}

/** A truck that returns this soon never left: it was marked sold, or missing from a feed, by mistake. */
const TAKEN_BACK_MS = 7 * DAY_MS;

/**
 * Computes a truck's spells from all listings of its VIN. A spell ends when one listing is sold or the last one is delisted.
 * A truck that was sold without having been available has none.
 */
export function findSpells(listings: readonly Pick<History, 'seller' | 'steps'>[]): Spell[] {
  const spells: Spell[] = [];
  const open = new Set<(typeof listings)[number]>();
  for (const { at, kind, listing } of sortSteps(listings)) {
    const last = spells.at(-1);
    const { seller } = listing;
    if (kind === 'created' || kind === 'relisted') {
      open.add(listing);
      if (last?.to === null) continue;
      const isMistake = last && last.ending !== 'delisted' && at - (last.to ?? at) <= TAKEN_BACK_MS;
      if (isMistake) spells[spells.length - 1] = { ...last, to: null, ending: null, seller };
      else spells.push({ from: at, to: null, ending: null, seller });
      continue;
    }
    open.delete(listing);
    if (kind === 'sold') open.clear();
    if (open.size > 0) continue;
    if (last?.to === null) spells[spells.length - 1] = { ...last, to: at, ending: kind, seller };
    // A truck that was delisted and then reported as sold was sold when it left.
    else if (last && kind === 'sold') spells[spells.length - 1] = { ...last, ending: 'sold' };
  }
  return spells.filter(({ from, to }) => to === null || to > from);
}

/** Lists arrivals and departures of all listings, oldest first. */
function sortSteps<Listing extends Pick<History, 'steps'>>(listings: readonly Listing[]) {
  return listings
    .flatMap((listing) =>
      listing.steps.flatMap(({ at, kind }) => (kind === 'changed' ? [] : [{ at, kind, listing }])),
    )
    .sort((a, b) => a.at - b.at);
}
