import type { Segment } from './choice.ts';
import { toSearchWords } from './tools.ts';
import type { ChatTrucks } from './trucks.ts';

const MAX_SHOWN = 6;

/**
 * What our own reader of buyers' words makes of a message, where the model chose nothing that can be said: the trucks it asks
 * for, those that come closest, or the dealer's team.
 */
export async function chooseOwn(
  message: string,
  trucks: ChatTrucks,
  { pageVin, hasUnknownVin }: { pageVin: string | null; hasUnknownVin: boolean },
): Promise<Segment[]> {
  if (hasUnknownVin) return [{ say: 'no_such_truck' }, { say: 'refer', topic: 'other' }];
  const words = toSearchWords(message);
  if (words !== '') {
    const { search, found } = await trucks.find({ q: words, limit: MAX_SHOWN });
    const vins = found.trucks.map(({ vin }) => vin);
    const said = new Set(words.toLowerCase().split(/[^\p{L}\p{N}]+/u));
    const isNamed = found.trucks.every(({ make, model }) =>
      [make, model].some((name) => said.has(name?.toLowerCase().split(' ')[0] ?? '')),
    );
    const isMatch = found.isRead && (found.kind === 'match' || found.criteria !== null);
    // What else is asked about a truck that is named is no reason to say that there is none.
    if (vins.length > 0 && isNamed && found.criteria === null) return [{ say: 'trucks', vins, facts: [] }];
    if (vins.length > 0 && isMatch) return [{ say: 'trucks', vins, search, facts: [] }];
  }
  const { refer, ask } = {
    refer: { say: 'refer', topic: 'other' },
    ask: { say: 'ask', about: 'use' },
  } as const;
  const truck = pageVin === null ? null : trucks.get(pageVin);
  return truck ? [{ say: 'facts', vin: truck.vin, facts: [] }, refer] : [refer, ask];
}
