import type { Segment } from './choice.ts';
import { toSearchWords } from './tools.ts';
import type { ChatTrucks } from './trucks.ts';

/**
 * What our own reader of buyers' words makes of a message, where the model chose nothing that can be said: the trucks it asks
 * for, those that come closest, or the dealer's team.
 */
export async function chooseOwn(
  message: string,
  trucks: ChatTrucks,
  pageVin: string | null,
): Promise<Segment[]> {
  const words = toSearchWords(message);
  if (words !== '') {
    const { search, found } = await trucks.find({ q: words });
    const vins = found.trucks.map(({ vin }) => vin);
    // Where no word names anything, whatever is found is found by chance.
    const isRead = found.criteria === null ? found.kind === 'match' : found.criteria.length > 0;
    if (isRead && vins.length > 0) return [{ say: 'trucks', vins, search, facts: [] }];
  }
  const truck = pageVin === null ? null : trucks.get(pageVin);
  return [
    truck ? { say: 'trucks', vins: [truck.vin], facts: [] } : { say: 'ask', about: 'use' },
    { say: 'refer', topic: 'other' },
  ];
}
