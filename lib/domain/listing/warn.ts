import {
  type ReadableMember,
  UNREADABLE,
  unreadableCode,
  WARNINGS,
  type WarningCode,
} from '../../contract/warnings.ts';
import { quoted } from '../text/text.ts';
import type { VinSuggestion } from '../vin/vin-suggestions.ts';

/** Something worth telling the dealer that did not stop the record. */
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

/** A warning of the catalogue, its message filled in. `values.field` names the field where the catalogue does not. */
export function warn<Code extends keyof Catalogue>(
  code: Code,
  ...[values]: keyof Values<Code> extends never ? [] : [values: Values<Code>]
): Warning {
  const { field, message } = WARNINGS[code];
  const given: Readonly<Record<string, string | number>> = values ?? {};
  return { code, field: field ?? String(given.field), message: fill(message, given) };
}

/** A value that was left out because it cannot be read; `what` describes it where it is one of several. */
export function unreadable(
  field: ReadableMember,
  raw: unknown,
  expected: string,
  what = `${field} ${quoted(raw)}`,
): Warning {
  const message = fill(UNREADABLE.message, { what, expected });
  return { code: unreadableCode(field), field, message };
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
