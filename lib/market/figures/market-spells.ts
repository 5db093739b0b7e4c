import { DAY_MS } from '../../truck/time.ts';

/** When a truck stood for sale: from the history of its listing. */

export interface HistoryStep {
  /** ms since the epoch. */
  at: number;
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'vanished' | 'relisted';
  price: number | null;
}

/** A listing's history in order. */
export interface History {
  /** Account; never leaves the service. */
  seller: string;
  vin: string;
  steps: readonly HistoryStep[];
}

/** From coming onto the lot to leaving it. */
export interface Spell {
  from: number;
  /** Null: still there. */
  to: number | null;
  ending: 'sold' | 'delisted' | 'vanished' | null;
  /** Whose listing began it, or ended it. */
  seller: string;
}

/** A truck that is back this soon was marked sold, or missed by a feed, by mistake: it never left. */
const TAKEN_BACK_MS = 7 * DAY_MS;

/**
 * The spells of a truck by all listings of its VIN: it is gone when one of them is sold, or the last one taken off. What was
 * sold without ever being seen available has none.
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
    // Taken off first and then reported as sold: it was sold when it left.
    else if (last && kind === 'sold') spells[spells.length - 1] = { ...last, ending: 'sold' };
  }
  return spells.filter(({ from, to }) => to === null || to > from);
}

/** What came and went, in order of time. */
function sortSteps<Listing extends Pick<History, 'steps'>>(listings: readonly Listing[]) {
  return listings
    .flatMap((listing) =>
      listing.steps.flatMap(({ at, kind }) => (kind === 'changed' ? [] : [{ at, kind, listing }])),
    )
    .sort((a, b) => a.at - b.at);
}
