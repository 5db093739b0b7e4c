/**
 * Which trucks stand for all of a large market: a fixed random choice by VIN, half as many on each level above. A truck
 * is on level n or above with probability 2^-n, whoever lists it; nobody outside can tell which VINs are on which.
 */
export const MAX_LEVEL = 16;

/** Of the trucks that an answer looks at, one seller's share; his others are there, and count, but weigh nothing. */
const MAX_SHARE_OF_SAMPLE = 1 / 4;

/**
 * A sample of at most `max` trucks, with what of it weighs nothing, so that no seller fills it. All trucks there are weigh
 * alike, whoever lists them.
 */
export function markExcluded<Truck extends { seller: string; level: number }>(
  trucks: readonly Truck[],
  max: number,
  oneIn: number,
): (Truck & { excludedFromSample: boolean })[] {
  const included = new Set(oneIn === 1 ? trucks : limitSellers(trucks, max));
  return trucks.map((truck) => ({ ...truck, excludedFromSample: !included.has(truck) }));
}

/** Of a seller with too many the lower levels are left out, so that what remains of him is a random choice too. */
export function limitSellers<Truck extends { seller: string; level: number }>(
  trucks: readonly Truck[],
  max: number,
): Truck[] {
  return [...Map.groupBy(trucks, ({ seller }) => seller).values()].flatMap((sellerTrucks) => {
    let sample = sellerTrucks;
    for (let level = 1; sample.length > max * MAX_SHARE_OF_SAMPLE && level <= MAX_LEVEL; level += 1)
      sample = sellerTrucks.filter((truck) => truck.level >= level);
    return sample;
  });
}

/** A model as market data tells it apart: without regard to case, blanks, dashes, dots and slashes; '' is unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** The same of a text. */
export function toModelWord(model: string | null): string {
  return (model ?? '').replace(/[ ._/-]/g, '').toUpperCase();
}
