import type { WidgetForms as Forms } from '../../lib/leads/schemas/widget.ts';
import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { WORDS } from './words.ts';

/** The fields that the service asks for. */

export type Field = Forms['forms'][number]['fields'][number];

const RETRY_MS = 10_000;

let forms: Forms | null = null;
let triesLeft = 3;
let nextTryAt = 0;

/** Returns null until the forms are loaded; the form works without them. */
export function readForms({ request, identity, draw }: PanelContext): Forms | null {
  if (triesLeft > 0 && Date.now() >= nextTryAt) {
    triesLeft -= 1;
    nextTryAt = Number.POSITIVE_INFINITY;
    request('forms', { query: identity })
      .then(async (response) => {
        forms = await response.json();
        draw();
      })
      .catch(() => {
        nextTryAt = Date.now() + RETRY_MS;
      });
  }
  return forms;
}

/** Lists the fields that only the chosen form has. */
export const chosenFields = ({ m }: PanelContext): Field[] =>
  forms?.forms.find(({ intent }) => intent === m.form.intent)?.fields ?? [];

/** Returns what the visitor has to correct in these fields. */
export function checkFields(panel: PanelContext): Record<string, string> {
  const say = kit.translate(WORDS);
  const { details } = panel.m.form;
  const faults: Record<string, string> = {};
  for (const { name, type, required } of chosenFields(panel)) {
    const value = details[name]?.trim() ?? '';
    if (required && !value) faults[`details.${name}`] = say('missing');
    if (value && type === 'number' && !/^\d{1,9}$/.test(value.replace(/[$,\s]/g, '')))
      faults[`details.${name}`] = say('whole');
  }
  return faults;
}
