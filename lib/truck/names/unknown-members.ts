import { limitWarnings, type Warning, warn } from '../listing/warn.ts';
import { cleanLine, cut } from '../text/text.ts';

const MAX_NAME_LENGTH = 80;
const MAX_NAMED = 20;

/** Of members of a body that it does not have, and that were left out. */
export function warnOfUnknown(body: object, known: ReadonlySet<string>): readonly Warning[] {
  const unknown = Object.keys(body).filter((name) => !known.has(name));
  const shown = (name: string) => cleanLine(cut(name, MAX_NAME_LENGTH));
  return limitWarnings(
    unknown.slice(0, MAX_NAMED).map((name) => warn('UNKNOWN_FIELD', { field: shown(name) })),
  );
}
