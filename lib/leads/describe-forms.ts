import { readLocale } from '../truck/card/locale.ts';
import { INTENT_FIELDS, INTENT_NAMES, INTENTS, MARKETING_TEXT } from './schemas/intents.ts';

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
