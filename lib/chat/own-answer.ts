import type { Segment } from './choice.ts';
import { toSearchWords } from './tools.ts';
import type { ChatTrucks } from './trucks.ts';

/**
 * Answers a message by our own reader of buyers' words if the model chose nothing that can be said: with the trucks
 * that the message asks for, the closest ones, or a referral to the dealer's team.
 */
export async function chooseOwn(
  message: string,
  trucks: ChatTrucks,
  pageVin: string | null,
): Promise<Segment[]> {
  const truck = pageVin === null ? null : trucks.get(pageVin);
  const words = toSearchWords(message);
  if (words !== '') {
    const { search, result } = await trucks.find({ q: words });
    const vins = result.trucks.map(({ vin }) => vin);
    // Where no word names anything, all trucks are found; beside a page's truck every word has to name something.
    const isAsked = truck ? result.criteria?.length : result.criteria?.length !== 0;
    if (vins.length > 0 && isAsked) return [{ say: 'trucks', vins, search, facts: [] }];
  }
  const refer: Segment = { say: 'refer', topic: 'other' };
  return truck ? [{ say: 'trucks', vins: [truck.vin], facts: [] }, refer] : [refer];
}
