import { isDeepStrictEqual } from 'node:util';
import { Connection, requestBytes, throughput } from '../connection.ts';
import { interleaved, median, medianRatio } from '../numbers.ts';
import { PATH, readMember, type Seller } from './seller.ts';

export const CONNECTIONS = 16;

export interface ReadFigure {
  name: string;
  /** Requests per second, medians. */
  service: number;
  bare: number;
  ratio: number;
}

/** A contender of GET by VIN: where it listens, and the path of a VIN there. */
export interface Reader {
  origin: string;
  toPath(vin: string): string;
}

export const serviceReader = (origin: string): Reader => ({ origin, toPath: (vin) => `${PATH}/${vin}` });

/** Slices of throughput alternately, each after a short warm-up; the ratio is the median of the rounds' ratios. */
export async function measureReads(
  name: string,
  service: Reader,
  bare: Reader,
  load: { seller: Seller; vins: readonly string[]; rounds: number; ms: number },
): Promise<ReadFigure> {
  await expectSameDocument(service, bare, load);
  const a = await prepare(service, load);
  const b = await prepare(bare, load);
  const [ours = [], theirs = []] = await interleaved(load.rounds, a.slice, b.slice);
  a.close();
  b.close();
  return { name, service: median(ours), bare: median(theirs), ratio: medianRatio(ours, theirs) };
}

async function prepare(
  reader: Reader,
  { seller, vins, ms }: { seller: Seller; vins: readonly string[]; ms: number },
) {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(reader.origin)),
  );
  const { keys } = seller;
  const requests = vins.map((vin, index) =>
    requestBytes('GET', reader.toPath(vin), keys[index % keys.length] ?? ''),
  );
  let sent = 0;
  const next = () => {
    const request = requests[sent++ % requests.length];
    if (request === undefined) throw new Error('no VINs to ask for');
    return request;
  };
  await throughput(connections, next, 3 * ms);
  return {
    async slice() {
      await throughput(connections, next, ms / 4);
      return throughput(connections, next, ms);
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** Both must do the same work: the same document, member by member. */
async function expectSameDocument(
  service: Reader,
  bare: Reader,
  { seller, vins }: { seller: Seller; vins: readonly string[] },
): Promise<void> {
  const read = async ({ origin, toPath }: Reader, vin: string) => {
    const connection = await Connection.open(origin);
    const answer = await connection.send(requestBytes('GET', toPath(vin), seller.keys[0] ?? ''));
    connection.close();
    return readMember(answer, 200);
  };
  for (const vin of vins.slice(0, 5)) {
    if (!isDeepStrictEqual(await read(service, vin), await read(bare, vin)))
      throw new Error(`the answers about ${vin} differ`);
  }
}
