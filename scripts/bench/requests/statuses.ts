import type { RawTruck } from '../../demo/dealer-file.ts';
import { Connection, requestBytes } from '../connection.ts';
import { interleaved, median, medianRatio, timed } from '../numbers.ts';
import { BATCH, repriced } from '../trucks.ts';
import { PATH, PROVIDER, readMember, type Seller } from './seller.ts';
import { readVin } from './singles.ts';

export interface StatusFigure {
  /** Milliseconds of a bulk status, and of a batch of as many changed trucks; medians. */
  statuses: number;
  changed: number;
  /** The median of the rounds' ratios. */
  ratio: number;
}

/** Marks the trucks of a batch as sold or delisted, and posts another batch with new prices, in turn. */
export async function measureStatuses(
  origin: string,
  { keys }: Seller,
  { sold, changed, rounds }: { sold: RawTruck[][]; changed: RawTruck[][]; rounds: number },
): Promise<StatusFigure> {
  const connection = await Connection.open(origin);
  const send = (method: string, round: number, body: object) =>
    connection.send(requestBytes(method, PATH, keys[round % keys.length] ?? '', body));
  const take = (batches: RawTruck[][], round: number) => batches[round % batches.length] ?? [];
  const [statuses = [], posts = []] = await interleaved(
    rounds,
    (round) => {
      const status = Math.floor(round / sold.length) % 2 === 0 ? 'sold' : 'delisted';
      const records = take(sold, round).map((truck) => ({ vin: readVin(truck), status }));
      return timed(async () =>
        expectAll(readMember(await send('PATCH', round, { records }), 200), 'updated'),
      );
    },
    (round) => {
      const records = take(changed, round).map(repriced);
      changed[round % changed.length] = records;
      const body = { source_provider_id: PROVIDER, records };
      return timed(async () => expectAll(readMember(await send('POST', round, body), 200), 'merged'));
    },
  );
  connection.close();
  return { statuses: median(statuses), changed: median(posts), ratio: medianRatio(statuses, posts) };
}

function expectAll({ summary }: { summary?: unknown }, outcome: 'updated' | 'merged'): void {
  const counts = summary as Record<string, number> | undefined;
  if (counts?.[outcome] !== BATCH) throw new Error(`not all were ${outcome}: ${JSON.stringify(summary)}`);
}
