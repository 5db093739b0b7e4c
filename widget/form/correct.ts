import { kit } from '../kit/lent.ts';
import type { Form } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { type Enquiry, outboxFor } from './outbox.ts';
import { WORDS } from './words.ts';

/** Enquiries that the service refused: the visitor corrects one after the other in the form. */

/**
 * Puts the oldest refused enquiry into the form, unless the visitor is writing something else there. Returns whether the
 * form shows one now that it did not show before.
 */
export function takeUpRefused(panel: PanelContext): boolean {
  const { m, page } = panel;
  const refusals = outboxFor(panel)
    .list()
    .filter(({ refusedField }) => refusedField !== undefined);
  const correction = refusals.find(({ id }) => id === m.form.corrects);
  if (correction && Object.keys(m.wrong).length) return false;
  const enquiry = correction ?? refusals[0];
  if (!enquiry || (!correction && (!isBlank(m.form) || page.root.activeElement?.closest('form'))))
    return false;
  if (!correction) fill(panel, enquiry);
  mark(panel, enquiry);
  return true;
}

const isBlank = ({ message, intent, details }: Form) =>
  ![message, intent, ...Object.values(details)].some((text) => text.trim());

function fill({ m }: PanelContext, { id, body, about }: Enquiry): void {
  for (const name of ['name', 'email', 'phone', 'message'] as const)
    if (typeof body[name] === 'string') m.form[name] = body[name];
  if (typeof body.intent === 'string') m.form.intent = body.intent;
  if (body.details) m.form.details = { ...(body.details as Record<string, string>) };
  m.form.corrects = id;
  m.about = about ?? (body.vin ? { vin: `${body.vin}`, title: `${body.vin}` } : null);
}

/** Says at its field why an enquiry was refused. */
export function mark({ m }: PanelContext, { refusedField = '' }: Enquiry): void {
  const say = kit.translate(WORDS);
  if (refusedField.startsWith('details.')) m.wrong = { [refusedField]: say('check') };
  else if (refusedField in m.form)
    m.wrong = { [refusedField]: say(refusedField === 'phone' ? 'noPhone' : 'check') };
  else m.leadFault = { kind: 'failed', code: '', seconds: 0, details: {} };
}
