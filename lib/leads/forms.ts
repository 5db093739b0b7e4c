import type { Reason } from '../errors.ts';
import { invalid } from '../http/context.ts';
import { readLocale } from '../truck/card/locale.ts';
import { isDay } from '../truck/json.ts';
import { maskPersonalNumbers } from './mask-personal-numbers.ts';
import { INTENT_FIELDS, INTENT_NAMES, INTENTS, type Intent, MARKETING_TEXT } from './schemas/intents.ts';
import type { Lead } from './schemas/leads.ts';

/** What forms there are, and what they ask, in the visitor's language. */
export function describeForms({ locale: text = 'en' }: { locale?: string | undefined }) {
  const locale = readLocale(text);
  const forms = INTENTS.map((intent) => ({
    intent,
    name: INTENT_NAMES[intent][locale],
    fields: Object.entries(INTENT_FIELDS[intent]).map(([name, { type, names, required, options }]) => ({
      name,
      label: names[locale],
      type,
      required: required === true,
      ...(options && {
        options: Object.entries(options).map(([value, labels]) => ({ value, label: labels[locale] })),
      }),
    })),
  }));
  return { forms, marketing: { text: MARKETING_TEXT[locale] } };
}

/** What the visitor asks for, with labels for a person: Request, Financing; Down payment in $, 5000. */
export function describeRequest({ intent, details }: Pick<Lead, 'intent' | 'details'>): [string, string][] {
  if (intent === null) return [];
  const fields = Object.entries(INTENT_FIELDS[intent]).flatMap(
    ([name, { names, options }]): [string, string][] => {
      const value = details[name];
      return value === undefined ? [] : [[names.en, options?.[value]?.en ?? value]];
    },
  );
  return [['Request', INTENT_NAMES[intent].en], ...fields];
}

const MAX_LENGTH = 120;

/** The members that the intent's form has, in its order; INVALID_PARAMS names the one that is missing or unreadable. */
export function readDetails(
  intent: Intent | null,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const details: Record<string, string> = {};
  for (const [name, { type, required, options }] of Object.entries(intent ? INTENT_FIELDS[intent] : {})) {
    const text = values[name]?.trim() ?? '';
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
