import { closeness } from '../../lib/pipeline/vin-decoder/pattern-key.ts';
import { FIRST_YEAR, OPEN, type Vpic } from '../../lib/pipeline/vin-decoder/vpic-file.ts';
import { SOURCE_ELEMENTS as FROM, type Source, type SourcePattern } from './read-source.ts';
import { toEngineModel, toValues, weightClassIn } from './vocabulary.ts';

interface Fact {
  key: string;
  /** Element's letter and value. */
  value: string;
  changedOn: string;
}

/** The extract as it is shipped; the same source gives the same columns. */
export function extract(source: Source): Vpic {
  const schemas = new Map(
    [...Map.groupBy(source.patterns, ({ schema }) => schema)].map(([id, patterns]) => [
      id,
      collectFacts(patterns),
    ]),
  );
  const keys = pool([...schemas.values()].flatMap((facts) => facts.map(({ key }) => key)));
  const values = pool([...schemas.values()].flatMap((facts) => facts.map(({ value }) => value)));
  const { places, runs } = placed(source, schemas);
  const facts = runs.flat();
  const uses = Map.groupBy(source.uses, ({ wmi }) => wmi);
  const makers = source.makers.toSorted((left, right) => compare(left.wmi, right.wmi));
  const flat = makers.flatMap(({ wmi }) => uses.get(wmi) ?? []);
  return {
    vintage: source.patterns.reduce(
      (latest, { changedOn }) => Math.max(latest, Number(changedOn.slice(0, 4))),
      0,
    ),
    schemaStarts: starts(runs.map(({ length }) => length)),
    wmiStarts: starts(makers.map(({ wmi }) => uses.get(wmi)?.length ?? 0)),
    factKeys: Uint16Array.from(facts, ({ key }) => keys.index(key)),
    factValues: Uint16Array.from(facts, ({ value }) => values.index(value)),
    useSchemas: Uint16Array.from(flat, ({ schema }) => places.get(schema) ?? 0),
    useFrom: Uint8Array.from(flat, ({ from }) => Math.max(from - FIRST_YEAR, 0)),
    useTo: Uint8Array.from(flat, ({ to }) => (to === null ? OPEN : Math.max(to - FIRST_YEAR, 0))),
    wmis: makers.map(({ wmi }) => wmi),
    makers: makers.map(({ type, makes, manufacturer }) =>
      [type, makes.length === 1 ? makes[0] : '', manufacturer].join('\t'),
    ),
    keys: keys.list,
    values: values.list,
    engines: collectEngines(source, new Set(values.list)),
  };
}

/** The best fact of an element first: the closest key, then the latest change, as vPIC decides between equals. */
function collectFacts(patterns: readonly SourcePattern[]): Fact[] {
  const facts: Fact[] = [...parseGvwr(patterns)];
  for (const { element, value, make, keys: key, changedOn } of patterns) {
    for (const reading of toValues(element, value, make)) facts.push({ key, value: reading, changedOn });
  }
  const unique = new Map(facts.map((fact) => [`${fact.key} ${fact.value}`, fact]));
  return [...unique.values()].sort(
    (left, right) =>
      compare(left.value.charAt(0), right.value.charAt(0)) ||
      closeness(right.key) - closeness(left.key) ||
      compare(right.changedOn, left.changedOn) ||
      compare(left.key, right.key) ||
      compare(left.value, right.value),
  );
}

/** GVWR is given from one class to another; without an end it is that class. */
function parseGvwr(patterns: readonly SourcePattern[]): Fact[] {
  const highest = new Map<string, number | null>();
  for (const { element, keys, value } of patterns) {
    if (element === FROM.gvwrTo) highest.set(keys, weightClassIn(value));
  }
  return patterns.flatMap(({ element, keys: key, value, changedOn }) => {
    const from = element === FROM.gvwrFrom ? weightClassIn(value) : null;
    if (from === null) return [];
    const to = highest.get(key) ?? from;
    return [{ key, value: to > from ? `G${from}-${to}` : `G${from}`, changedOn }];
  });
}

/**
 * Each schema's place in the file. Schemas stand in the order their makers use them, year by year, since neighbours
 * that repeat each other compress well; those without a single fact share the empty run at place 0.
 */
function placed(source: Source, schemas: ReadonlyMap<number, Fact[]>) {
  const places = new Map<number, number>();
  const runs: Fact[][] = [[]];
  for (const { schema } of source.uses) {
    if (places.has(schema)) continue;
    const facts = schemas.get(schema) ?? [];
    places.set(schema, facts.length === 0 ? 0 : runs.length);
    if (facts.length > 0) runs.push(facts);
  }
  return { places, runs };
}

/** Engine models and what their names alone say; only those that patterns name. */
function collectEngines(source: Source, engineModels: ReadonlySet<string>): string[] {
  const namedEngines = source.engines.map((engine) => ({
    ...engine,
    name: toEngineModel(engine.name) ?? '',
  }));
  return [...Map.groupBy(namedEngines, ({ name }) => name)].flatMap(([name, engines]) => {
    if (!engineModels.has(`E${name}`)) return [];
    const values = [...new Set(engines.flatMap(({ element, value }) => toValues(element, value, null)))];
    // Names that were cut alike may contradict each other; then none of them is believed.
    const single = values.filter((value) => values.filter((other) => other[0] === value[0]).length === 1);
    return single.length === 0 ? [] : [[name, ...single].join('\t')];
  });
}

function pool(items: readonly string[]) {
  const list = [...new Set(items)].sort(compare);
  if (list.length > 65_535) throw new Error(`${list.length} texts are more than 16 bits can number`);
  const indexes = new Map(list.map((item, index) => [item, index]));
  return { list, index: (item: string) => indexes.get(item) ?? 0 };
}

function starts(lengths: readonly number[]): Uint32Array {
  const ends = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    ends[index + 1] = (ends[index] ?? 0) + length;
  });
  return ends;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
