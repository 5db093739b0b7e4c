import { typedKeys } from '../../lib/truck/record/record.ts';
import { toPairs } from '../../lib/truck/text/table.ts';
import { computeCheckDigit } from '../../lib/truck/vin/vin.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';
import type { ProbedService } from './service.ts';

/** Real VINs with one slip in them, as people and scanners make them: is the true one among the first three suggestions? */

/** How often each kind of slip is made of a VIN. */
const TIMES = {
  'taken for another': 5,
  'any other character': 3,
  'two swapped': 3,
  'letter that VINs lack': 1,
};
export const SLIPS = typedKeys(TIMES);

type Kind = keyof typeof TIMES;

/** By eye (print, hand, OCR), by ear and by the key beside. */
const ALIKE =
  'B8 S5 Z2 G6 D0 UV VY MN 17 38 49 68 L1 EF PR CG T7 56 A4 HN KX 35 BD PB 12 23 34 45 67 89 90 78'
    .split(' ')
    .flatMap(([one = '', other = '']) => [one + other, other + one]);
const LACKING: Readonly<Record<string, string>> = { '0': 'OQ', '1': 'I', L: 'I' };
const LEGAL = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/** The same numbers in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const isRight = (vin: string) => computeCheckDigit(vin) === vin[8];
const replaceAt = (vin: string, at: number, text: string) =>
  vin.slice(0, at) + text + vin.slice(at + text.length);

function slip(vin: string, kind: Kind, roll: (sides: number) => number): string {
  for (;;) {
    const at = roll(17);
    const char = vin.charAt(at);
    const choices = {
      'taken for another': ALIKE.filter(([one]) => one === char).map(([, other = '']) => other),
      'any other character': [...LEGAL],
      'two swapped': at < 16 ? [vin.charAt(at + 1) + char] : [],
      'letter that VINs lack': [...(LACKING[char] ?? '')],
    }[kind];
    const choice = choices[roll(choices.length)];
    const mistypedVin = choice === undefined ? vin : replaceAt(vin, at, choice);
    if (mistypedVin !== vin && !isRight(mistypedVin)) return mistypedVin;
  }
}

const CONSUMER_MODELS = new Set(['F-250', '2500', 'trailer']);
/** Makes that also build consumer vehicles have to say it. */
const CLASSES = toPairs('F-350 3, F-550 5, F-650 6, F-750 7, 3500 3, 5500 5, 4500 4, Transit 3');
/** So many VINs of a batch may be wrong for all of them to be looked up. */
const BATCH = 25;

function makeSlips(seed: number) {
  const roll = dice(seed);
  const trucks = REAL_TRUCK_VINS.filter(([vin, , model]) => isRight(vin) && !CONSUMER_MODELS.has(model));
  return trucks.flatMap(([vin, make, model, year]) =>
    SLIPS.filter((kind) => kind !== 'letter that VINs lack' || /[01L]/.test(vin)).flatMap((kind) =>
      Array.from({ length: TIMES[kind] }, () => ({
        kind,
        truth: vin,
        record: { vin: slip(vin, kind, roll), make, model, year, class: CLASSES[model] },
      })),
    ),
  );
}

export async function judgeSlips(service: ProbedService) {
  const slips = makeSlips(11);
  const judgedSlips = [];
  for (let start = 0; start < slips.length; start += BATCH) {
    const chunk = slips.slice(start, start + BATCH);
    const records = chunk.map(({ record }, index) => ({ ...record, source_provider_id: `slip-${index}` }));
    const { results } = await service.call('POST', '/v1/inventory?dry_run=true', { records });
    for (const [index, { kind, truth }] of chunk.entries()) {
      const warnings: { suggestions?: { vin: string }[] }[] = results[index].warnings ?? [];
      const suggested = warnings.flatMap(({ suggestions = [] }) => suggestions.map(({ vin }) => vin));
      judgedSlips.push({ kind, isRight: suggested.slice(0, 3).includes(truth) });
    }
  }
  return judgedSlips;
}
