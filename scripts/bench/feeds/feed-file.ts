import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { stringify } from 'csv-stringify';
import { rollTruck } from '../../demo/dealer-file/lot-truck.ts';
import { MODELS, type Model } from '../../demo/dealer-file/models.ts';
import { dice } from '../../demo/dealer-file/random.ts';

/** A dealer's export of any length: CSV, gzip, the same bytes for the same options. */

export interface FileOptions {
  rows: number;
  currentYear: number;
  /** Another description in one row: a file with other bytes in which nothing matters. */
  touched?: boolean;
  /** Leaves out every so manieth row. */
  without?: number;
}

export async function writeFeedFile(path: string, options: FileOptions): Promise<void> {
  const csv = stringify({ header: true, record_delimiter: 'windows' });
  await pipeline(Readable.from(feedRecords(options)), csv, createGzip({ level: 1 }), createWriteStream(path));
}

/** The same rows as records. */
export function* feedRecords({
  rows,
  currentYear,
  touched,
  without,
}: FileOptions): Generator<Record<string, string>> {
  const chance = dice(7);
  const lot = MODELS.flatMap((model) => Array<Model>(model.weight).fill(model));
  for (let number = 0; number < rows; number += 1) {
    const truck = rollTruck({ model: chance.pick(lot), number, currentYear, seed: 7, dice: chance });
    if (without !== undefined && number % without === 0) continue;
    const { lot: place } = truck;
    yield {
      vin: truck.vin,
      stock_number: truck.stock,
      year: String(truck.year),
      make: truck.make,
      model: truck.model,
      class: truck.class === null ? '' : `class_${truck.class}`,
      gvwr: String(truck.gvwr ?? ''),
      body_type: truck.body,
      condition: truck.condition,
      price: String(truck.price ?? ''),
      mileage: String(truck.mileage),
      color: truck.color,
      fuel_type: truck.fuel,
      engine: truck.engine,
      horsepower: String(truck.horsepower),
      transmission: truck.transmission,
      drivetrain: truck.drivetrain,
      city: place[0],
      state: place[1],
      zip: place[2],
      features: truck.features.join(', '),
      description:
        touched && number === 0
          ? 'Sold as is.'
          : 'One owner, full service history. New tires all around, fresh oil and filters, ready for the road.',
    };
  }
}
