import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { FIELDS } from '../../../lib/truck/record/fields.ts';
import { listWarnings, WARNINGS } from '../../../lib/warnings.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const sources = globSync('lib/**/*.ts', { cwd: ROOT }).filter((file) => file !== 'lib/warnings.ts');
const code = sources.map((file) => readFileSync(ROOT + file, 'utf8')).join('\n');
const emitted = new Set([...code.matchAll(/\bwarn\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name));

test('every warning of the catalogue is emitted somewhere, and every emitted one is in the catalogue', () => {
  expect([...emitted].sort()).toEqual(Object.keys(WARNINGS).sort());
});

test('every code for an unreadable value can come up, and no other; what is unreadable is left out', () => {
  const places = ['city', 'state', 'zip', 'country'];
  const names = [...Object.keys(FIELDS), ...places, 'images', 'dealer', 'source_provider_id'];
  const bad = Object.fromEntries(names.map((name) => [name, {}]));
  const readings = [
    { ...bad, location: [1], attributes: 'x', latitude: 91, longitude: 5 },
    { latitude: 31, longitude: 500 },
  ].map(readRecord);
  expect(readings.map(({ patch }) => patch)).toEqual([{ fields: {} }, { fields: {} }]);
  const codes = readings.flatMap(({ warnings }) => warnings.map((warning) => warning.code));
  const catalogued = listWarnings().map((warning) => warning.code);
  expect(new Set(catalogued).size).toBe(catalogued.length);
  expect([...new Set(codes)].sort()).toEqual(
    catalogued.filter((name) => name.endsWith('_UNREADABLE')).sort(),
  );
});
