import { readProbes, splitColumns, withCheckDigit } from './fresh-probes.ts';
import type { JudgedProbe } from './fresh-rules.ts';
import type { ProbedService } from './service.ts';

/** Consumer vehicles in every disguise, none of which may be listed as a truck, and trucks, none of which may be rejected. */

const NAMES = ['vin', 'year', 'make', 'model', 'body_type', 'class', 'gvwr', 'price'] as const;

interface Answer {
  results: { outcome: string; error?: { code: string }; warnings?: { code: string; field: string }[] }[];
}

/** The outcome of each: the code of its rejection, `hidden`, or `listed`. */
async function judgeRecords(service: ProbedService, file: string, isRight: (outcome: string) => boolean) {
  const probes = readProbes(file);
  const records = probes.map(({ text }) => {
    const values = splitColumns(text).map((value, at) => [NAMES[at] ?? '', value] as const);
    const { vin = '', ...rest } = Object.fromEntries(values.filter(([, value]) => value !== ''));
    return { vin: withCheckDigit(vin), ...rest };
  });
  const { results }: Answer = await service.call('POST', '/v1/inventory?dry_run=true', { records });
  return probes.map((probe, index): JudgedProbe => {
    const { error, warnings = [] } = results[index] ?? { outcome: 'lost' };
    const isHidden = warnings.some(({ code }) => code === 'VIN_NOT_A_TRUCK');
    const outcome = error?.code ?? (isHidden ? 'hidden' : 'listed');
    return { ...probe, rule: file, truth: probe.expected, value: outcome, isRight: isRight(outcome) };
  });
}

export async function judgeVehicles(service: ProbedService): Promise<JudgedProbe[]> {
  const consumers = await judgeRecords(service, 'consumers', (outcome) => outcome !== 'listed');
  const trucks = await judgeRecords(service, 'trucks', (outcome) => outcome === 'listed');
  return [...consumers, ...trucks];
}
