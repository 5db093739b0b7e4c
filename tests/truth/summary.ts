import { isHeldOut } from './fresh-probes.ts';
import type { JudgedProbe } from './fresh-rules.ts';
import type { JudgedQuery } from './lot.ts';

/** Precision and recall of what was judged. */

export function measureFresh(probes: readonly JudgedProbe[]) {
  const correct = probes.filter(({ truth, isRight }) => truth !== null && isRight).length;
  return {
    probes: probes.length,
    precision: correct / probes.filter(({ value }) => value !== null).length,
    recall: correct / probes.filter(({ truth }) => truth !== null).length,
    /** Of all, those of which nothing should be read as well. */
    share: probes.filter(({ isRight }) => isRight).length / probes.length,
    wrong: probes.filter(({ isRight }) => !isRight),
  };
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function measureQueries(queries: readonly JudgedQuery[]) {
  const good = queries.filter(isGood).length;
  return {
    probes: queries.length,
    precision: average(queries.map(({ precision }) => precision)),
    recall: average(queries.map(({ recall }) => recall)),
    good: good / queries.length,
  };
}

/** Nearly all that is found is meant, and nearly all that is meant is found. */
export const isGood = ({ precision, recall }: JudgedQuery): boolean => precision >= 0.95 && recall >= 0.9;

export const heldOut = <Probe extends { text: string }>(probes: readonly Probe[]): Probe[] =>
  probes.filter(({ text }) => isHeldOut(text));
