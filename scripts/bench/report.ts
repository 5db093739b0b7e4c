import type { BatchFigure } from './requests/batches.ts';
import { CONNECTIONS, type ReadFigure } from './requests/reads.ts';
import { BATCH } from './trucks.ts';

/** How the figures are printed. */

export function tellBatches(figures: readonly BatchFigure[]): void {
  const changed = figures.find(({ name }) => name === 'all changed (price)');
  print(
    `Batch of ${BATCH} over HTTP, ms             service    floor    ratio  of floor, all changed   wide table`,
  );
  for (const { name, service, floor, wide, ratio } of figures) {
    const share = service / (changed?.floor ?? Number.NaN);
    print(
      `  ${name.padEnd(32)} ${fixed(service, 1)} ${fixed(floor, 1)} ${fixed(ratio, 2)} ${fixed(share, 2).padStart(23)} ${fixed(wide, 1).padStart(12)}`,
    );
  }
  print('  goals: all changed at most 1.50, all unchanged at most 0.30 of the floor of all changed\n');
}

export function tellReads(figures: readonly ReadFigure[]): void {
  print(`GET by VIN, ${CONNECTIONS} connections, requests/s    service     bare    ratio`);
  for (const { name, service, bare, ratio } of figures)
    print(`  ${name.padEnd(32)} ${fixed(service, 0)} ${fixed(bare, 0)} ${fixed(ratio, 2)}`);
  print('  goal: at least 0.90 with the memory limiter');
}

export const fixed = (value: number, digits: number) => value.toFixed(digits).padStart(8);
export const whole = (value: number) => value.toFixed(0);

export function print(line: string): void {
  console.log(line);
}
