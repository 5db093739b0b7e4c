import type { Reject, Truck } from '../../lib/pipeline/stage.ts';
import { recordValidator } from '../../lib/pipeline/validate.ts';

const needs = { currentYear: 2026, dualUseMakes: ['Ford', 'Chevrolet', 'GMC', 'Ram', 'Dodge'] };
export const VIN = '1FUJGBDV3FLFZ2286';
export const good = { vin: VIN, year: 2015, make: 'Freightliner' };

function runValidate(record: unknown, sourceProviderId?: unknown) {
  return recordValidator({ ...needs, sourceProviderId })(record);
}

export function acceptRecord(record: unknown, sourceProviderId?: unknown): Truck {
  const outcome = runValidate(record, sourceProviderId);
  if (outcome.kind !== 'continue' || outcome.item.quarantine)
    throw new Error(`rejected: ${JSON.stringify(outcome)}`);
  return outcome.item;
}

export function rejected(record: unknown): Reject {
  const outcome = runValidate(record);
  if (outcome.kind === 'continue' && outcome.item.quarantine) return outcome.item.quarantine;
  if (outcome.kind !== 'rejected') throw new Error(`accepted: ${JSON.stringify(outcome)}`);
  return outcome.reject;
}

export const listWarnings = (record: unknown) => acceptRecord(record).warnings.map(({ code }) => code);
export const without = (name: keyof typeof good, rest: object = {}) => {
  const { [name]: _, ...others } = good;
  return { ...others, ...rest };
};
