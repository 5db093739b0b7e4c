import { readAmount } from '../../lib/truck/text/amounts.ts';
import { DOLLARS, MILES, whole } from '../../lib/truck/text/numbers.ts';
import { blockedBody, canonicalBody } from '../../lib/truck/vocabulary/body.ts';
import { canonicalMake } from '../../lib/truck/vocabulary/make.ts';
import { PROBES, type Probe } from './probes.ts';

/** Precision and recall of each rule over the labelled probes. */

const toText = (value: number | undefined) => (value === undefined ? null : String(whole(value)));

const readMake = (sent: string) => canonicalMake(sent).make;
const READERS: Readonly<Record<string, (sent: string) => string | null>> = {
  body: canonicalBody,
  make: readMake,
  'blocked body': blockedBody,
  price: (sent) => toText(readAmount(sent, DOLLARS)?.value),
  mileage: (sent) => toText(readAmount(sent, MILES)?.value),
};

export interface Measure {
  rule: string;
  probes: number;
  precision: number;
  recall: number;
  wrong: (Probe & { read: string | null })[];
}

export function measureRules(): Measure[] {
  return [...Map.groupBy(PROBES, ({ rule }) => rule)].map(([rule, probes]) => {
    const results = probes.map((probe) => ({ ...probe, read: READERS[rule]?.(probe.sent) ?? null }));
    const said = results.filter(({ read }) => read !== null);
    const labelled = results.filter(({ expected }) => expected !== null);
    const right = labelled.filter(({ read, expected }) => read === expected).length;
    return {
      rule,
      probes: probes.length,
      precision: right / said.length,
      recall: right / labelled.length,
      wrong: results.filter(({ read, expected }) => read !== expected),
    };
  });
}
