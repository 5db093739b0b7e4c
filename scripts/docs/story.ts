import { type Call, type StoredCall, toCall } from './call.ts';
import steps from './story.json' with { type: 'json' };

/**
 * The calls that guides, reference and OpenAPI documents show as examples: story.json, in the order in which one account
 * makes them. `{{name}}` stands for something an earlier answer gave.
 */

export type StepName = keyof typeof steps;

export interface Step {
  title: string;
  call: Call;
  /** The status it must be answered with. */
  status: number;
}

type StoredStep = StoredCall & { title: string; status?: number };

const toStep = ({ title, status = 200, ...call }: StoredStep): Step => ({
  title,
  call: toCall(call),
  status,
});

export const STORY = Object.fromEntries(
  Object.entries(steps as Record<string, StoredStep>).map(([name, step]) => [name, toStep(step)]),
) as Record<StepName, Step>;

/** What other sellers have for sale while the story runs: batches, each of one seller. */
export const MARKET: readonly Call[] = [0, 1, 2].map((seller) => ({
  method: 'POST',
  path: '/v1/inventory',
  json: { records: Array.from({ length: 8 }, (_, at) => marketTruck(seller, at)) },
}));

function marketTruck(seller: number, at: number) {
  const year = 2018 + (at % 3);
  return {
    vin: `3AKJHHDR${at}${'JKL'[at % 3]}SK${seller}200${at}`,
    year,
    make: 'Freightliner',
    model: 'Cascadia 126',
    class: 'class_8',
    body_type: 'sleeper tractor',
    condition: 'used',
    price: 52_000 + (year - 2018) * 9_000 + seller * 1_500 + at * 800,
    mileage: 560_000 - (year - 2018) * 60_000 - at * 9_000,
    state: ['TX', 'OK', 'TX'][seller],
  };
}
