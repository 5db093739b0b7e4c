import type { Form } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';

const EMPTY_FORM = { name: '', email: '', phone: '', message: '', company: '', marketing: false, intent: '' };

/** Fills in what the panel lacks until the form is opened: it has only what an earlier page kept. */
export function completeForm({ m }: PanelContext): void {
  m.form = { ...EMPTY_FORM, details: {}, ...(m.form as Partial<Form>) };
}
