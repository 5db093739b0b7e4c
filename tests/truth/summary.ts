import { isHeldOut } from './fresh-probes.ts';
import type { Judged } from './fresh-rules.ts';
import type { JudgedQuery } from './lot.ts';

/** Precision and recall of what was judged. */

export function measureFresh(judged: readonly Judged[]) {
  const right = judged.filter(({ truth, isRight }) => truth !== null && isRight).length;
  return {
    probes: judged.length,
    precision: right / judged.filter(({ read }) => read !== null).length,
    recall: right / judged.filter(({ truth }) => truth !== null).length,
    /** Of all, those of which nothing should be read as well. */
    share: judged.filter(({ isRight }) => isRight).length / judged.length,
    wrong: judged.filter(({ isRight }) => !isRight),
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

export const heldOut = <Probe extends { sent: string }>(probes: readonly Probe[]): Probe[] =>
  probes.filter(({ sent }) => isHeldOut(sent));
