import { assert as assertOnce, configureGlobal, type IRawProperty, type Parameters } from 'fast-check';

/** fast-check with the project's seed; `fc.assert` tries PROPERTY_TIMES as many examples as a property asks for. */
export * from 'fast-check';

const { PROPERTY_SEED: seed = '20261121', PROPERTY_TIMES: times = '1' } = process.env;

// A run of the tests is the same run every time; new examples are what `npm run explore` looks for.
configureGlobal(seed === 'random' ? {} : { seed: Number(seed) });

export const assert = ((property: IRawProperty<unknown>, parameters: Parameters<unknown> = {}) =>
  assertOnce(property, {
    ...parameters,
    numRuns: (parameters.numRuns ?? 100) * Number(times),
  })) as typeof assertOnce;
