import { TRUCK_CLASSES } from '../truck/fields.ts';
import type { VinDecoded } from '../truck/listing/truck.ts';
import { grouped } from '../truck/text/text.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import { mapInTurns } from './batch/in-turns.ts';
import { type Outcome, proceed, type RawRecord, type Reject, type Rejected, type Truck } from './stage.ts';
import { recordValidator, type ValidateNeeds } from './validate.ts';
import { vinAsSent } from './vin-as-sent.ts';
import type { DecodeVins } from './vin-decoder/decode-vins.ts';

/**
 * Validates, and tells the dealer of a quarantined dual-use truck what its VIN knows of the weight. Only quarantined
 * records are decoded here: the rule itself never looks at the VIN.
 */
export async function validateWithVins(
  batch: readonly RawRecord[],
  needs: ValidateNeeds & { decodeVins: DecodeVins },
): Promise<Outcome<Truck, Rejected>[]> {
  const outcomes = await mapInTurns(batch, recordValidator(needs));
  const quarantined = outcomes.flatMap((outcome, index) =>
    quarantineFor(outcome)?.violations.some(isQuarantine) ? [{ index, outcome }] : [],
  );
  if (quarantined.length === 0) return outcomes;
  const decoded = await needs.decodeVins(
    quarantined.map(({ index }) => ({ vin: normaliseVin(vinAsSent(batch[index]) ?? ''), year: null })),
  );
  quarantined.forEach(({ index, outcome }, place) => {
    const hint = toHint(decoded[place] ?? null);
    if (outcome.kind === 'rejected') outcomes[index] = { ...outcome, reject: withHint(outcome.reject, hint) };
    if (outcome.kind === 'continue' && outcome.item.quarantine)
      outcomes[index] = proceed({ ...outcome.item, quarantine: withHint(outcome.item.quarantine, hint) });
  });
  return outcomes;
}

function quarantineFor(outcome: Outcome<Truck, Rejected>): Reject | undefined {
  if (outcome.kind === 'rejected') return outcome.reject;
  return outcome.kind === 'continue' ? outcome.item.quarantine : undefined;
}

const isQuarantine = ({ code }: Pick<Reject['violations'][number], 'code'>) =>
  code === 'DUAL_USE_QUARANTINED';

function withHint(reject: Reject, hint: string): Reject {
  const violations = reject.violations.map((violation) =>
    isQuarantine(violation) ? { ...violation, fix: violation.fix + hint } : violation,
  );
  return { ...reject, violations };
}

function toHint(decoded: VinDecoded | null): string {
  if (decoded?.truck_class == null) return '';
  const weight = decoded.gvwr_max ?? decoded.gvwr_min;
  const pounds = weight === null ? '' : `, ${decoded.gvwr_max === null ? 'from ' : ''}${grouped(weight)} lb`;
  const says = ` The VIN says ${decoded.truck_class.replace('class_', 'Class ')}${pounds}`;
  const listed = TRUCK_CLASSES.some((name) => name === decoded.truck_class);
  return listed ? `${says}: add class or gvwr.` : `${says}: such vehicles are not listed here.`;
}
