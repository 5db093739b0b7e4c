import { hash } from 'node:crypto';
import type { StageCode } from '../errors.ts';
import { LIMITS } from '../truck/fields.ts';
import { type RecordReading, readProvider, readRecord } from '../truck/listing/read-record.ts';
import type { Slot } from '../truck/listing/record-names.ts';
import type { Warning } from '../truck/listing/warn.ts';
import { findForeignCurrency, listCurrencies } from '../truck/place/country.ts';
import { findPriceBand, isPossiblePrice } from '../truck/price/price-envelope.ts';
import { formatPrice } from '../truck/text/currency.ts';
import { groupDigits, quoteValue, toReceivedValue } from '../truck/text/text.ts';
import { isListedYear } from '../truck/text/year.ts';
import { findVins, hasVinLength } from '../truck/vin/vin.ts';
import { findBlockedBody } from '../truck/vocabulary/body.ts';
import { findDualUseMake, isExplicitTruck, toDualUseSet } from '../truck/vocabulary/dual-use.ts';
import { findWeightClass, readWeightClass } from '../truck/vocabulary/weight-class.ts';
import type { PipelineNeeds } from './needs.ts';
import { vinAsSent } from './results.ts';
import {
  type Outcome,
  proceed,
  type RawRecord,
  type Rejected,
  type Truck,
  toReject,
  toRejected,
  type Violation,
} from './stage.ts';

/** The first stage: reads each record and checks it by the contract's rules. Pure. */

type ValidateNeeds = Pick<PipelineNeeds, 'currentYear' | 'dualUseMakes' | 'sourceProviderId'>;

interface RuleContext {
  currentYear: number;
  dualUse: ReadonlySet<string>;
}

interface Rule {
  code: StageCode;
  field: Slot;
  /** What is wrong and what to change, in one sentence; null when the record keeps the rule. */
  fault(reading: RecordReading, context: RuleContext): string | null;
}

/** Contract section 7, "Pipeline failure", in its order: the first broken rule names the reject. */
export const RULES: readonly Rule[] = [
  {
    code: 'VIN_MISSING',
    field: 'vin',
    fault: ({ vin, received }) =>
      vin === null
        ? `vin is ${received.has('vin') ? 'one character repeated, which is no VIN' : 'missing'}: add the 17-character VIN as vin (or VIN, vehicle_identification_number).`
        : null,
  },
  { code: 'VIN_LENGTH', field: 'vin', fault: explainVinLength },
  {
    code: 'YEAR_MISSING',
    field: 'year',
    fault: (reading) =>
      reading.received.has('year')
        ? null
        : 'year is missing: add the 4-digit model year as year (or model_year, modelYear).',
  },
  { code: 'YEAR_OUT_OF_RANGE', field: 'year', fault: explainYear },
  {
    code: 'MAKE_MISSING',
    field: 'make',
    fault: ({ patch }) =>
      patch.fields.make
        ? null
        : 'make is missing: add the manufacturer as text in make (or Make, manufacturer, brand), for example "Freightliner".',
  },
  { code: 'GVWR_BELOW_FLOOR', field: 'gvwr', fault: explainGvwr },
  {
    code: 'BODY_TYPE_BLOCKED',
    field: 'body_type',
    fault: ({ patch }) => {
      const body = patch.fields.body_type ? findBlockedBody(patch.fields.body_type) : null;
      return body === null
        ? null
        : `body_type ${quoteValue(patch.fields.body_type)} is a consumer body (${body}): leave consumer vehicles out, or send the truck body, for example "box truck".`;
    },
  },
  {
    code: 'CLASS_BELOW_FLOOR',
    field: 'class',
    fault: ({ patch }) => {
      const weightClass = readWeightClass(patch.fields.class);
      return weightClass === null || weightClass >= 3
        ? null
        : `class is Class ${weightClass}; only Class 3 to 8 is listed: leave the vehicle out, or correct class to class_3 … class_8.`;
    },
  },
  { code: 'DUAL_USE_QUARANTINED', field: 'class', fault: explainDualUse },
  { code: 'PRICE_INVALID', field: 'price', fault: explainPrice },
];

function explainVinLength({ vin, received }: RecordReading) {
  const vinReceived = received.get('vin');
  if (typeof vinReceived === 'number' && !Number.isSafeInteger(vinReceived))
    return 'vin was sent as a number, of which JSON keeps 15 digits only: send it as text, all 17 characters.';
  if (vin === null || hasVinLength(vin)) return null;
  const { length: vins } = typeof vinReceived === 'string' ? findVins(vinReceived) : [];
  if (vins > 1) return `vin holds ${vins} VINs: give each truck a record, or row, of its own.`;
  return `vin has ${groupDigits([...vin].length)} characters once white space and dashes are stripped: send all 17; serials from before 1981 are not listed.`;
}

/** Returns what validates one record after the other. It never throws, whatever the records are. */
export function recordValidator(needs: ValidateNeeds): (record: RawRecord) => Outcome<Truck, Rejected> {
  const context = { currentYear: needs.currentYear, dualUse: toDualUseSet(needs.dualUseMakes) };
  const defaultWarnings: Warning[] = [];
  const provider = readProvider(needs.sourceProviderId, defaultWarnings) ?? '';
  return (record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      return rejectNonRecord(record);
    const reading = readRecord(record);
    const violations = findViolations(reading, context);
    const [first] = violations;
    const broken = first && toReject(first.code, violations);
    const isQuarantined = violations.length === 1 && first?.code === 'DUAL_USE_QUARANTINED';
    if (broken && !isQuarantined) return toRejected(vinAsSent(record), broken);
    const recordProvider = reading.sourceProviderId;
    const vin = reading.vin ?? '';
    const sourceProviderId = recordProvider ?? provider;
    return proceed({
      dedupHash: hash('sha256', vin + sourceProviderId),
      vin,
      sourceProviderId,
      patch: reading.patch,
      warnings: recordProvider === null ? [...reading.warnings, ...defaultWarnings] : reading.warnings,
      ...(broken ? { quarantine: broken } : {}),
    });
  };
}

function findViolations(reading: RecordReading, context: RuleContext) {
  const violations: Violation[] = [];
  for (const { code, field, fault } of RULES) {
    const fix = fault(reading, context);
    if (fix !== null)
      violations.push({ code, field, received: toReceivedValue(reading.received.get(field)), fix });
  }
  return violations;
}

function rejectNonRecord(record: RawRecord): Rejected {
  const received = toReceivedValue(record);
  const fix = `The record is ${received === null ? 'null' : quoteValue(record)}: send a JSON object with vin, year and make.`;
  const violation = { code: 'VIN_MISSING', field: 'vin', received, fix } as const;
  return toRejected(null, toReject('VIN_MISSING', [violation]));
}

function explainYear({ received, patch }: RecordReading, { currentYear }: RuleContext) {
  if (!received.has('year')) return null;
  const range = `${LIMITS.yearMin} to ${currentYear + LIMITS.yearsAhead}`;
  const year = patch.fields.year ?? null;
  if (year === null)
    return `year ${quoteValue(received.get('year'))} is no 4-digit model year: send a number from ${range}.`;
  return isListedYear(year, currentYear)
    ? null
    : `year is ${year}: only model years from ${range} are listed.`;
}

/** Abroad the number may be right and only lack its unit. */
const hintKilograms = (gvwr: number, { place }: RecordReading['patch']) =>
  findForeignCurrency(place) === null ? '' : ` (in kilograms send "${groupDigits(gvwr)} kg")`;

function explainGvwr({ gvwr, patch }: RecordReading) {
  if (gvwr === null || gvwr >= LIMITS.gvwrFloor) return null;
  const floor = groupDigits(LIMITS.gvwrFloor);
  const weightClass = findWeightClass(gvwr);
  if (gvwr <= 0 || weightClass === null) {
    return `gvwr is ${groupDigits(gvwr)} lb: send the rating in lb (at least ${floor}), or leave gvwr out when it is unknown.`;
  }
  return `gvwr is ${groupDigits(gvwr)} lb (Class ${weightClass}); only trucks from ${floor} lb are listed: correct gvwr${hintKilograms(gvwr, patch)}, or leave the vehicle out.`;
}

function explainDualUse({ vin, gvwr, patch, received }: RecordReading, context: RuleContext) {
  const { fields } = patch;
  if (!fields.make || isExplicitTruck(readWeightClass(fields.class), gvwr)) return null;
  const { make: sentMake, model = null } = fields;
  const make = findDualUseMake({ make: sentMake, model }, vin ?? '', context.dualUse);
  if (make === null) return null;
  const unreadNames = (['class', 'gvwr'] as const).filter(
    (name) => received.has(name) && fields[name] == null,
  );
  const hints = unreadNames
    .map((name) => ` (${name} ${quoteValue(received.get(name))} cannot be read)`)
    .join('');
  return `${make} also builds consumer vehicles: add class (class_3 to class_8) or gvwr (at least ${groupDigits(LIMITS.gvwrFloor)} lb)${hints}.`;
}

function explainPrice({ price, patch }: RecordReading, { currentYear }: RuleContext) {
  if (price === null) return null;
  const currency = patch.fields.currency ?? null;
  const advice = 'send the asking price in whole dollars or pesos, or send null for call-for-price.';
  if (price < LIMITS.priceFloor) {
    return `price is ${formatPrice(price, currency)}, below ${formatPrice(LIMITS.priceFloor, currency)}: ${advice}`;
  }
  const year = patch.fields.year ?? null;
  if (year === null || !isListedYear(year, currentYear)) return null;
  const currencies = currency === null ? listCurrencies(patch.place) : [currency];
  if (currencies.some((each) => isPossiblePrice(price, each, year, currentYear))) return null;
  const { min, max } = findPriceBand(year, currentYear);
  return `price is ${formatPrice(price, currency)}, outside $${groupDigits(min)} to $${groupDigits(max)} for model year ${year}: ${advice}`;
}
