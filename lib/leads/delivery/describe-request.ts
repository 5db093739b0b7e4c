import type { Lead } from '../ports/leads.ts';
import { INTENT_FIELDS, INTENT_NAMES } from '../schemas/intents.ts';

/** What the visitor asks for, as lines for a person to read: "Request: Financing", "Down payment in $: 5000". */
export function describeRequest({ intent, details }: Pick<Lead, 'intent' | 'details'>): string[] {
  if (intent === null) return [];
  const fields = Object.entries(INTENT_FIELDS[intent]).flatMap(([name, { names, options }]) => {
    const value = details[name];
    return value === undefined ? [] : [`${names.en}: ${options?.[value]?.en ?? value}`];
  });
  return [`Request: ${INTENT_NAMES[intent].en}`, ...fields];
}
