import { normaliseVin } from '../../../lib/domain/vin/vin.ts';
import type { RawTruck } from '../../demo/dealer-file.ts';
import { Connection, requestBytes } from '../connection.ts';
import { quantile, timed } from '../numbers.ts';
import { PATH, PROVIDER, readMember, type Seller } from './seller.ts';

export interface LatencyFigure {
  name: string;
  p50: number;
  p99: number;
}

/** Latency of one request after the other on one connection: a new truck, the same with another price, its sale. */
export async function measureSingles(
  origin: string,
  { keys }: Seller,
  trucks: readonly RawTruck[],
): Promise<LatencyFigure[]> {
  const connection = await Connection.open(origin);
  const call = async (name: string, status: number, toRequest: (truck: RawTruck, key: string) => Buffer) => {
    const times: number[] = [];
    for (const [index, truck] of trucks.entries()) {
      const request = toRequest(truck, keys[index % keys.length] ?? '');
      times.push(await timed(async () => readMember(await connection.send(request), status)));
    }
    return { name, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  };
  const owned = (truck: RawTruck) => ({ ...truck, source_provider_id: PROVIDER });
  const figures = [
    await call('POST, a new truck', 201, (truck, key) => requestBytes('POST', PATH, key, owned(truck))),
    await call('POST, a changed truck', 200, (truck, key) =>
      requestBytes('POST', PATH, key, owned({ ...truck, mileage: 321_000 })),
    ),
    await call('PATCH, sold', 200, (truck, key) =>
      requestBytes('PATCH', PATH, key, { vin: readVin(truck), status: 'sold' }),
    ),
  ];
  connection.close();
  return figures;
}

/** The VIN under whichever name the record has it, however it is written. */
export function readVin(truck: RawTruck): string {
  return normaliseVin(String(truck.vin ?? truck.VIN ?? truck.vehicle_identification_number));
}
