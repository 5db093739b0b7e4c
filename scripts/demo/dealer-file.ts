import { LIMITS } from '../../lib/contract/fields.ts';
import { type ExpectedOutcome, FAULTS } from './dealer-file/faults.ts';
import { type LotTruck, rollTruck } from './dealer-file/lot-truck.ts';
import { MODELS, type Model } from './dealer-file/models.ts';
import { type Dice, dice, itemAt } from './dealer-file/random.ts';
import { type RawTruck, write } from './dealer-file/spelling.ts';
import { SERIALS } from './dealer-file/vin.ts';

export type { ExpectedOutcome, RawTruck };

export interface DealerFileOptions {
  /** Records in the file, at most 1,000,000; 2,500 by default. */
  trucks?: number;
  /** Whole number; another seed gives another file. */
  seed?: number;
  /** Newest model year offered is the one after it. */
  currentYear: number;
  /**
   * Share of records, 0 to 1, that are faulty, odd or posted twice; 0.1 by default. With 0 every record is a
   * distinct truck that the service accepts.
   */
  faulty?: number;
}

/** A record with what should become of it. */
export interface DealerRow {
  record: RawTruck;
  outcome: ExpectedOutcome;
}

/**
 * The file a dealer group might send: real models with plausible VINs (right WMI, model year, check digit), written
 * as people and systems write them, and one in ten wrong in the ways dealers' data really is. The same options give
 * the same bytes. Throws RangeError when asked for more trucks than there are serial numbers.
 */
export function dealerFile(options: DealerFileOptions): RawTruck[] {
  return dealerRows(options).map((row) => row.record);
}

/** The same file, each record with the outcome it should meet. */
export function dealerRows(options: DealerFileOptions): DealerRow[] {
  const { trucks = 2_500, seed = 1, currentYear, faulty = 0.1 } = options;
  if (trucks > SERIALS) throw new RangeError(`at most ${SERIALS} trucks have different VINs`);
  const chance = dice(seed);
  const lot = MODELS.flatMap((model) => Array<Model>(model.weight).fill(model));
  const repeats = repeatQueue(trucks);
  const rows: DealerRow[] = [];
  let dealt = 0;
  while (rows.length < trucks) {
    const repeat = repeats.due(rows.length);
    if (repeat !== undefined) {
      rows.push({ record: repeat, outcome: 'repeated' });
      continue;
    }
    const number = rows.length;
    const truck = rollTruck({ model: chance.pick(lot), number, currentYear, seed, dice: chance });
    if (!chance.chance(faulty)) {
      rows.push({ record: write(reticent(truck, chance), chance), outcome: 'stored' });
      continue;
    }
    const fault = itemAt(FAULTS, dealt++ % FAULTS.length);
    const vehicle = fault.vehicle?.(truck, chance) ?? truck;
    const record = write(vehicle, chance);
    fault.spoil?.(record, { truck: vehicle, dice: chance, currentYear });
    if (fault.outcome !== 'repeated') {
      rows.push({ record, outcome: fault.outcome });
      continue;
    }
    rows.push({ record, outcome: 'stored' });
    repeats.add(number, write({ ...truck, price: reduced(truck.price) }, chance));
  }
  return rows;
}

/** Makes that build consumer vehicles too: without class and weight their trucks would be held back. */
const DUAL_USE = new Set(['Ford', 'Chevrolet', 'GMC', 'Ram']);

/** Dealers leave out class or weight now and then, which is no fault. */
function reticent(truck: LotTruck, chance: Dice): LotTruck {
  const silence = chance.next();
  if (silence < 0.12) return { ...truck, gvwr: null };
  if (silence < 0.24) return { ...truck, class: null };
  return silence < 0.3 && !DUAL_USE.has(truck.make) ? { ...truck, class: null, gvwr: null } : truck;
}

function reduced(price: number | null): number | null {
  return price === null ? null : Math.round((price * 0.97) / 100) * 100;
}

/**
 * Second postings, a few lines after the first: the same unit entered by two salespeople. They stay within one
 * batch of the largest size, so that posting the whole file again changes nothing.
 */
function repeatQueue(trucks: number) {
  const waiting: { at: number; record: RawTruck }[] = [];
  return {
    add(number: number, record: RawTruck): void {
      const left = Math.min(LIMITS.batchSize - (number % LIMITS.batchSize), trucks - number) - 1;
      if (left > waiting.length + 6) waiting.push({ at: number + 5, record });
    },
    due(line: number): RawTruck | undefined {
      const first = waiting[0];
      return first !== undefined && first.at <= line ? waiting.shift()?.record : undefined;
    },
  };
}
