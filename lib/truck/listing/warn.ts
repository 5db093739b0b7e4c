import {
  type ReadableMember,
  UNREADABLE,
  unreadableCode,
  WARNINGS,
  type WarningCode,
} from '../../warnings.ts';
import { cleanLine, cut, quoteValue } from '../text/text.ts';
import type { VinSuggestion } from '../vin/vin-suggestions.ts';

/** A warning to the dealer about a record that was accepted. */
export interface Warning {
  code: WarningCode;
  field: string;
  message: string;
  /** VINs that may have been meant, the likeliest first. */
  suggestions?: readonly VinSuggestion[];
}

type Catalogue = typeof WARNINGS;
type Placeholders<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Values<Code extends keyof Catalogue> = Readonly<
  Record<Placeholders<Catalogue[Code]['message']>, string | number>
>;

/** Fills in the message of a warning of the catalogue. `values.field` names the field if the catalogue does not. */
export function warn<Code extends keyof Catalogue>(
  code: Code,
  ...[values]: keyof Values<Code> extends never ? [] : [values: Values<Code>]
): Warning {
  const { field, message } = WARNINGS[code];
  const valuesByName: Readonly<Record<string, string | number>> = values ?? {};
  return { code, field: field ?? String(valuesByName.field), message: fill(message, valuesByName) };
}

/** Warns that a value was left out because it cannot be read; `description` describes one of several values. */
export function warnUnreadable(
  field: ReadableMember,
  raw: unknown,
  expected: string,
  description = `${field} ${quoteValue(raw)}`,
): Warning {
  const message = fill(UNREADABLE.message, { what: description, expected });
  return { code: unreadableCode(field), field, message };
}

/** Most warnings of a record in a batch: 500 records have to fit into an answer of 4 MB. */
const MAX_IN_BATCH = 12;
const MAX_OF_A_CODE = 5;

/** Keeps a few warnings of each code, and says how many were left out. */
export function limitWarnings(warnings: readonly Warning[]): readonly Warning[] {
  if (warnings.length <= MAX_OF_A_CODE) return warnings;
  const counts = new Map<WarningCode, number>();
  const few = warnings.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= MAX_OF_A_CODE;
  });
  const included = few.slice(0, MAX_IN_BATCH);
  const count = warnings.length - included.length;
  return count === 0 ? included : [...included, warn('WARNINGS_OMITTED', { count })];
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

const MAX_NAME_LENGTH = 80;
const MAX_NAMED = 20;

/** Warns of unknown members of a body, which were left out. */
export function warnOfUnknown(body: object, knownNames: ReadonlySet<string>): readonly Warning[] {
  const unknownNames = Object.keys(body).filter((name) => !knownNames.has(name));
  const toShortName = (name: string) => cleanLine(cut(name, MAX_NAME_LENGTH));
  return limitWarnings(
    unknownNames.slice(0, MAX_NAMED).map((name) => warn('UNKNOWN_FIELD', { field: toShortName(name) })),
  );
}
