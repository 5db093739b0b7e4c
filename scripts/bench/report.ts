import type { BatchFigure } from './requests/batches.ts';
import { CONNECTIONS, type ReadFigure } from './requests/reads.ts';
import type { StatusFigure } from './requests/statuses.ts';
import { BATCH } from './trucks.ts';

/** How the figures are printed. */

/** At most this of the wide table's statement. */
const GOALS: Readonly<Record<string, number>> = { 'all new': 3, 'all changed (price)': 2.5 };
/** At most this of the statement on our own tables and indexes that changes all rows. */
const UNCHANGED_GOAL = 0.15;

export function tellBatches(figures: readonly BatchFigure[]): void {
  print(`Batch of ${BATCH} over HTTP, ms              service  wide table  ratio   goal  our indexes  ratio`);
  for (const { name, service, wide, own, ratio, ownRatio } of figures) {
    const goal = GOALS[name]?.toFixed(2) ?? '';
    print(
      `  ${name.padEnd(32)} ${fixed(service, 1)} ${fixed(wide, 1).padStart(11)} ${fixed(ratio, 2).slice(2)} ${goal.padStart(6)} ${fixed(own, 1).padStart(12)} ${fixed(ownRatio, 2).slice(2)}`,
    );
  }
  const find = (wanted: string) => figures.find(({ name }) => name === wanted);
  const share = (find('all unchanged')?.service ?? Number.NaN) / (find('all changed (price)')?.own ?? 1);
  print(
    `  all unchanged is ${share.toFixed(2)} of the statement on our indexes that changes all (goal ${UNCHANGED_GOAL})\n`,
  );
}

export function tellStatuses({ statuses, changed, ratio }: StatusFigure): void {
  print(
    `Status of ${BATCH} by one PATCH, ms   ${fixed(statuses, 1)}, of a batch of ${BATCH} changed ${fixed(ratio, 2)}`,
  );
  print(`  beside it that batch took        ${fixed(changed, 1)}; goal: at most 0.30 of it\n`);
}

export function tellReads(figures: readonly ReadFigure[]): void {
  print(`GET by VIN, ${CONNECTIONS} connections, requests/s    service     bare    ratio`);
  for (const { name, service, bare, ratio } of figures)
    print(`  ${name.padEnd(32)} ${fixed(service, 0)} ${fixed(bare, 0)} ${fixed(ratio, 2)}`);
  print('  goal: at least 0.70');
}

export const fixed = (value: number, digits: number) => value.toFixed(digits).padStart(8);
export const whole = (value: number) => value.toFixed(0);

export function print(line: string): void {
  console.log(line);
}
