import type { Reason } from '../errors.ts';
import { invalid } from '../http/context.ts';
import { isDay } from '../truck/json.ts';
import { maskPersonalNumbers } from './mask-personal-numbers.ts';
import { INTENT_FIELDS, type Intent } from './schemas/intents.ts';

/** What a form asked beyond the visitor's own details. */

const MAX_LENGTH = 120;

/** The members that the intent's form has, in its order; INVALID_PARAMS names the one that is missing or unreadable. */
export function readDetails(
  intent: Intent | null,
  sent: Readonly<Record<string, string>>,
): Record<string, string> {
  const details: Record<string, string> = {};
  for (const [name, { type, required, options }] of Object.entries(intent ? INTENT_FIELDS[intent] : {})) {
    const text = sent[name]?.trim() ?? '';
    if (text === '' && required)
      throw invalid(`details.${name}`, 'is required for this form', { reason: 'missing' });
    if (text === '') continue;
    const refuse = (problem: string, reason: Reason) =>
      invalid(`details.${name}`, problem, { reason, received: maskPersonalNumbers(text) });
    if (text.length > MAX_LENGTH) throw refuse(`takes ${MAX_LENGTH} characters at most`, 'out_of_range');
    if (options && !Object.hasOwn(options, text))
      throw refuse(`must be one of ${Object.keys(options).join(', ')}`, 'not_allowed');
    const value = type === 'number' ? text.replace(/[$,\s]/g, '') : text;
    if (type === 'number' && !/^\d{1,9}$/.test(value)) throw refuse('must be a whole number', 'malformed');
    if (type === 'date' && !isDay(value)) throw refuse('must be a day such as 2026-11-30', 'malformed');
    details[name] = maskPersonalNumbers(value);
  }
  return details;
}
