/**
 * Samples of a large market: each VIN has a fixed random level, and each level has half as many trucks as the one below. A
 * truck is on level n or above with probability 2^-n, whoever lists it. The levels of VINs are secret.
 */
export const MAX_LEVEL = 16;

/** One seller's largest share of a sample. Its other trucks count, but no figure includes them. */
const MAX_SHARE_OF_SAMPLE = 1 / 4;

/**
 * Marks the trucks of a sample of at most `max` that figures leave out, so that no seller fills it. Without sampling, no
 * truck is left out.
 */
export function markExcluded<Truck extends { seller: string; level: number }>(
  trucks: readonly Truck[],
  max: number,
  oneIn: number,
): (Truck & { excludedFromSample: boolean })[] {
  const included = new Set(oneIn === 1 ? trucks : limitSellers(trucks, max));
  return trucks.map((truck) => ({ ...truck, excludedFromSample: !included.has(truck) }));
}

/** Leaves out the lower levels of sellers with too many trucks, so that the rest of their trucks is a random sample too. */
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

/** SQL for a model without case, blanks, dashes, dots and slashes, by which market data compares models; '' if unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** Returns the value of MARKET_MODEL for a text. */
export function toModelWord(model: string | null): string {
  return (model ?? '').replace(/[ ._/-]/g, '').toUpperCase();
}
