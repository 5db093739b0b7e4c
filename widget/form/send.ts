import type { Card } from '../../lib/contract/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { Form, Model } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { deliver, isFinal } from './deliver.ts';
import { completeForm } from './empty-form.ts';
import { checkFields, readForms } from './forms.ts';
import { createOutbox, type Enquiry } from './outbox.ts';
import { WORDS } from './words.ts';

/** Sending enquiries: kept in the browser first, so that no fault of the connection loses one. */

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

const outboxes = new WeakMap<PanelContext, ReturnType<typeof createOutbox>>();

function outboxFor(panel: PanelContext) {
  const name = `${panel.who.dealerSlug}:outbox`;
  const outbox =
    outboxes.get(panel) ??
    createOutbox({
      read: () => kit.stored('localStorage', name),
      write: (text) => void kit.stored('localStorage', name, text),
    });
  outboxes.set(panel, outbox);
  return outbox;
}

/** What the visitor has to correct before it is sent. */
export function check({ email, phone }: Form): Model['wrong'] {
  const say = kit.translate(WORDS);
  const digits = phone.replace(/(ext|x|#).*$/i, '').replace(/\D/g, '');
  const isPhone = /^\s*\+/.test(phone) ? digits.length > 7 : /^1?\d{10}$/.test(digits);
  return {
    ...(email && !/^\S+@\S+\.\S+$/.test(email.trim()) && { email: say('address') }),
    ...(!email && !phone && { email: say('neither') }),
    ...(phone && !isPhone && { phone: say('number') }),
  };
}

/** Sends the form; with a truck, that the visitor wants that one, too. */
export async function send(panel: PanelContext, truck?: Card): Promise<void> {
  const { m, draw } = panel;
  if (m.sending) return;
  completeForm(panel);
  m.wrong = { ...check(m.form), ...(truck ? {} : checkFields(panel)) };
  m.leadFault = null;
  if (Object.keys(m.wrong).length) {
    if (m.trail.at(-1) !== 'lead') kit.show(panel, 'lead');
    return draw('[aria-invalid=true]');
  }
  const enquiry = compose(panel, truck);
  outboxFor(panel).add(enquiry);
  m.sending = true;
  draw();
  const sent = await trySending(panel, enquiry);
  m.sending = false;
  if (sent === 'refused') return draw('[aria-invalid=true]');
  m.kept = sent === 'kept';
  m.captured = true;
  if (enquiry.body.vin) m.enquired.push(`${enquiry.body.vin}`);
  if (!truck) Object.assign(m.form, { message: '', intent: '', details: {} });
  kit.keep(panel);
  kit.show(panel, 'sent');
  if (m.kept) retryLater(panel, FIRST_RETRY_MS);
}

function compose(panel: PanelContext, truck?: Card): Enquiry {
  const { m, data, who } = panel;
  const say = kit.translate(WORDS);
  const { message, marketing, intent, details, ...form } = m.form;
  const page = location.origin + location.pathname;
  const offers = marketing && form.phone && readForms(panel)?.marketing.text;
  const body = {
    ...Object.fromEntries(Object.entries(form).filter(([, value]) => value)),
    message: truck ? say('also') : message.trim() || say('want'),
    ...who,
    vin: (truck ?? m.about)?.vin,
    conversationId: m.id,
    consent: { text: data.consent || say('consent'), page },
    ...(offers && { marketing: { text: offers, page } }),
    ...(intent && !truck && { intent, details: filled(details) }),
    visit: m.visit,
  };
  return { id: `${Date.now()}.${Math.random()}`, storedAt: Date.now(), body };
}

const filled = (details: Record<string, string>) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value.trim()));

/** One try: `kept` when it has to be tried again, `refused` when the visitor has to correct it first. */
async function trySending(panel: PanelContext, { id, body }: Enquiry): Promise<'sent' | 'kept' | 'refused'> {
  const { m, page } = panel;
  const delivered = await deliver(panel, body);
  if ('fault' in delivered) {
    const { fault } = delivered;
    if (!isFinal(fault)) return 'kept';
    outboxFor(panel).remove(id);
    showRefused(panel, fault.details.field, body);
    return 'refused';
  }
  outboxFor(panel).remove(id);
  m.id = delivered.conversationId ?? m.id;
  page.emit('lead', { leadId: delivered.leadId });
  return 'sent';
}

/** Puts a refused enquiry back into the form, with the fault at its field. */
function showRefused({ m }: PanelContext, field = '', body: Enquiry['body']): void {
  const say = kit.translate(WORDS);
  for (const name of ['name', 'email', 'phone', 'message'] as const)
    if (typeof body[name] === 'string') m.form[name] = body[name];
  if (typeof body.intent === 'string') m.form.intent = body.intent;
  if (body.details) m.form.details = { ...(body.details as Record<string, string>) };
  if (field.startsWith('details.')) m.wrong = { [field]: say('check') };
  else if (field in m.form) m.wrong = { [field]: say(field === 'phone' ? 'number' : 'check') };
  else m.leadFault = { kind: 'failed', code: '', seconds: 0, details: {} };
}

/** Only one round at a time. */
const flushing = new WeakSet<PanelContext>();

/** Sends what is kept, oldest first; goes on later while something is left. */
export async function flush(panel: PanelContext, retryMs = FIRST_RETRY_MS): Promise<void> {
  const { m, draw } = panel;
  if (flushing.has(panel) || m.sending) return;
  flushing.add(panel);
  clearTimeout(panel.timers.sending);
  const outbox = outboxFor(panel);
  let left = false;
  for (const enquiry of outbox.list()) {
    const sent = await trySending(panel, enquiry);
    if (sent === 'refused') m.trail = ['trucks', 'lead'];
    // The visitor left the page that said it was kept.
    else if (sent === 'sent' && m.trail.at(-1) === 'trucks') m.trail.push('sent');
    left ||= sent === 'kept';
    if (left) break;
  }
  flushing.delete(panel);
  m.kept &&= left;
  kit.keep(panel);
  draw();
  if (left) retryLater(panel, retryMs);
}

function retryLater(panel: PanelContext, ms: number): void {
  clearTimeout(panel.timers.sending);
  panel.timers.sending = setTimeout(() => flush(panel, Math.min(ms * 2, MAX_RETRY_MS)), ms);
}
