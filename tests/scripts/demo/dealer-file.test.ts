import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PARTS } from '../../../lib/contract/record/parts.ts';
import { weightClassFor } from '../../../lib/domain/vocabulary/weight-class.ts';
import { STAGE_CODES } from '../../../lib/errors.ts';
import { validate } from '../../../lib/pipeline/validate.ts';
import { MODELS } from '../../../scripts/demo/dealer-file/models.ts';
import { dealerFile, dealerRows, type RawTruck } from '../../../scripts/demo/dealer-file.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const currentYear = 2026;
const rejects: readonly string[] = STAGE_CODES.validate;

function findVin(record: RawTruck): string {
  const name = PARTS.vin.names.find((candidate) => candidate in record);
  return String(name === undefined ? '' : record[name])
    .replace(/[\s-]/g, '')
    .toUpperCase();
}

function fateCounts(rows: ReturnType<typeof dealerRows>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('the dealer file', () => {
  it('is the same bytes for the same options, and another file for another seed', () => {
    const digest = (seed: number) =>
      createHash('sha256')
        .update(JSON.stringify(dealerFile({ seed, currentYear })))
        .digest('hex');
    expect(digest(1)).toBe(digest(1));
    expect(digest(1)).not.toBe(digest(2));
  });

  it('has as many records as asked for, 2,500 unless told', () => {
    expect(dealerFile({ currentYear })).toHaveLength(2_500);
    for (const trucks of [0, 1, 7, 501]) expect(dealerFile({ currentYear, trucks })).toHaveLength(trucks);
    expect(() => dealerFile({ currentYear, trucks: 1_000_001 })).toThrow(RangeError);
  });

  it('is wrong or odd in about one record in ten, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
        const stored = fateCounts(dealerRows({ seed, currentYear })).stored ?? 0;
        expect(2_500 - stored).toBeGreaterThan(170);
        expect(2_500 - stored).toBeLessThan(350);
      }),
      { numRuns: 20 },
    );
  });

  it('provokes every validate code, warnings and repeats, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
        const counts = fateCounts(dealerRows({ seed, currentYear }));
        for (const outcome of [...rejects, 'stored', 'warned', 'repeated'])
          expect(counts[outcome], outcome).toBeGreaterThan(1);
      }),
      { numRuns: 20 },
    );
  });

  it('has nothing but distinct, good trucks when no faults are asked for', () => {
    const rows = dealerRows({ trucks: 20_000, currentYear, faulty: 0 });
    expect(fateCounts(rows)).toEqual({ stored: 20_000 });
    expect(new Set(rows.map(({ record }) => findVin(record))).size).toBe(20_000);
  });

  it('repeats a truck under its own VIN and within the same batch of 500, so that a second push changes nothing', () => {
    const rows = dealerRows({ trucks: 20_000, currentYear, faulty: 0.5 });
    const firstLine = new Map<string, number>();
    let repeats = 0;
    for (const [line, { record, outcome }] of rows.entries()) {
      const vin = findVin(record);
      if (outcome === 'stored') firstLine.set(vin, line);
      if (outcome !== 'repeated') continue;
      repeats++;
      expect(Math.floor((firstLine.get(vin) ?? -1) / 500), `line ${line}`).toBe(Math.floor(line / 500));
    }
    expect(repeats).toBeGreaterThan(500);
  });

  it('gives every good truck 17 characters with the right check digit and model year', () => {
    for (const { record, outcome } of dealerRows({ trucks: 5_000, currentYear })) {
      if (outcome !== 'stored' && outcome !== 'repeated') continue;
      const vin = findVin(record);
      expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
      expect(vin.charAt(8), vin).toBe(checkDigit(vin));
      const year = Number(record.year ?? record.model_year);
      expect(vin.charAt(9), vin).toBe('ABCDEFGHJKLMNPRSTVWXY123456789'.charAt((year - 1980) % 30));
    }
  });

  it('knows the weight class of every model it offers', () => {
    for (const model of MODELS) {
      for (const gvwr of model.gvwr)
        expect(weightClassFor(gvwr), `${model.name}, ${gvwr} lb`).toBe(model.class);
    }
  });

  it('foresees what the validate stage says of every record', () => {
    const rows = dealerRows({ trucks: 5_000, currentYear });
    const outcomes = validate(
      rows.map(({ record }) => record),
      { currentYear, dualUseMakes: ['Ford', 'Chevrolet', 'GMC', 'Ram', 'Dodge'] },
    );
    for (const [line, { record, outcome: foreseen }] of rows.entries()) {
      const outcome = outcomes[line];
      const expected = rejects.includes(foreseen) ? foreseen : 'accepted';
      // Dual use is judged later, on the record merged with its listing.
      const quarantined =
        outcome?.kind === 'continue' && outcome.item.quarantine ? 'DUAL_USE_QUARANTINED' : 'accepted';
      const code = outcome?.kind === 'rejected' ? outcome.reject.code : quarantined;
      expect(code, JSON.stringify(record)).toBe(expected);
      const quiet = foreseen === 'stored' || foreseen === 'repeated';
      if (quiet && outcome?.kind === 'continue')
        expect(outcome.item.warnings, JSON.stringify(record)).toEqual([]);
    }
  });

  it('offers no truck from a year in which the service takes none', () => {
    for (const year of [2024, 2026, 2031, 2060]) {
      for (const { record, outcome } of dealerRows({ trucks: 2_000, currentYear: year })) {
        if (outcome !== 'stored') continue;
        const modelYear = Number(record.year ?? record.model_year);
        expect(modelYear).toBeGreaterThanOrEqual(1990);
        expect(modelYear).toBeLessThanOrEqual(year + 1);
      }
    }
  });

  it('never leaves class and weight both out for makes that build consumer vehicles too', () => {
    for (const { record, outcome } of dealerRows({ trucks: 5_000, currentYear })) {
      if (outcome !== 'stored') continue;
      const make = String(record.make ?? record.Make ?? record.manufacturer);
      if (!/ford|chev|gmc|ram/i.test(make)) continue;
      const known = [record.class, record.truck_class, record.gvwr, record.GVWR].filter(Boolean);
      expect(known, JSON.stringify(record)).not.toHaveLength(0);
    }
  });
});

/** 49 CFR 565.15(c), written down a second time on purpose. */
function checkDigit(vin: string): string {
  const letters: Record<string, number> = {
    A: 1,
    B: 2,
    C: 3,
    D: 4,
    E: 5,
    F: 6,
    G: 7,
    H: 8,
    J: 1,
    K: 2,
    L: 3,
    M: 4,
    N: 5,
    P: 7,
    R: 9,
    S: 2,
    T: 3,
    U: 4,
    V: 5,
    W: 6,
    X: 7,
    Y: 8,
    Z: 9,
  };
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const sum = [...vin].reduce(
    (total, char, at) => total + (letters[char] ?? Number(char)) * (weights[at] ?? 0),
    0,
  );
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}
