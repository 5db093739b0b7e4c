import type { Card } from '../../lib/search/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { Form, Model } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { mark, takeUpRefused } from './correct.ts';
import { deliver, isFinal } from './deliver.ts';
import { completeForm } from './empty-form.ts';
import { checkFields, readForms } from './forms.ts';
import { type Enquiry, outboxFor } from './outbox.ts';
import { WORDS } from './words.ts';

/** Sending enquiries: kept in the browser first, and until they are accepted, so that no fault loses one. */

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** Most characters of the consent, and of the page's address, that the service takes. */
const MAX_EVIDENCE = 2_000;
/** Most characters of a VIN that the service takes. */
const MAX_VIN = 40;

/** Returns what the visitor has to correct before the form is sent. */
function check({ email, phone }: Form): Model['wrong'] {
  const say = kit.translate(WORDS);
  const digits = phone.replace(/(ext|x|#).*$/i, '').replace(/\D/g, '');
  const isPhone = /^\s*\+/.test(phone) ? digits.length > 7 : /^1?\d{10}$/.test(digits);
  return {
    ...(email && !/^\S+@\S+\.\S+$/.test(email.trim()) && { email: say('address') }),
    ...(!email && !phone && { email: say('neither') }),
    ...(phone && !isPhone && { phone: say('number') }),
  };
}

/** Sends the form; with `truck` only the wish for that truck. */
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
  outboxFor(panel).put(enquiry);
  if (!truck) m.form.corrects = enquiry.id;
  const draft = JSON.stringify(m.form);
  m.sending = true;
  draw();
  const outcome = await trySending(panel, enquiry);
  m.sending = false;
  note(panel);
  if (outcome === 'refused') {
    if (!takeUpRefused(panel)) mark(panel, enquiry);
    if (m.trail.at(-1) !== 'lead') kit.show(panel, 'lead');
    kit.keep(panel);
    return draw('[aria-invalid=true]');
  }
  m.captured = true;
  if (!truck) {
    m.form.corrects = undefined;
    // What was written meanwhile stays.
    if (JSON.stringify({ ...m.form, corrects: enquiry.id }) === draft)
      Object.assign(m.form, { message: '', intent: '', details: {} });
  }
  m.kept = undefined;
  if (outcome === 'kept') holdOn(panel);
  kit.keep(panel);
  kit.show(panel, 'receipt');
}

/** Without storage an enquiry is lost with the page: the browser asks before it leaves. */
function holdOn(panel: PanelContext): void {
  const outbox = outboxFor(panel);
  panel.m.kept = outbox.isStored() ? 'browser' : 'page';
  if (panel.m.kept === 'page')
    addEventListener('beforeunload', (event) => outbox.isStored() || event.preventDefault(), {
      signal: panel.ended.signal,
    });
  retryLater(panel, FIRST_RETRY_MS);
}

function compose(panel: PanelContext, truck?: Card): Enquiry {
  const { m, identity } = panel;
  const say = kit.translate(WORDS);
  const { message, marketing, intent, details, corrects, ...form } = m.form;
  const about = truck ?? m.about;
  const page = readPage();
  const offers = marketing && form.phone && readForms(panel)?.marketing.text;
  const body = {
    ...Object.fromEntries(Object.entries(form).filter(([, value]) => value)),
    message: truck ? say('also') : message.trim() || say('want'),
    ...identity,
    vin: about?.vin.slice(0, MAX_VIN),
    conversationId: m.id,
    consent: { text: readConsent(panel), page },
    ...(offers && { marketing: { text: offers, page } }),
    ...(intent && !truck && { intent, details: filled(details) }),
    visit: m.visit,
  };
  const id = (!truck && corrects) || `${Date.now()}.${Math.random()}`;
  return { id, storedAt: Date.now(), body, about: about && { vin: about.vin, title: about.title } };
}

/** The page without its query: that of the page around it for a frame whose content the page wrote (`srcdoc`). */
function readPage(): string | undefined {
  const { protocol, origin, pathname } = new URL(
    /^about:/.test(document.URL) ? document.baseURI : document.URL,
  );
  const page = origin + pathname;
  return /^http/.test(protocol) && page.length <= MAX_EVIDENCE ? page : undefined;
}

/** The consent as the form shows it and the lead stores it. */
export const readConsent = ({ data }: PanelContext): string =>
  (data.consent?.trim() || kit.translate(WORDS)('consent')).slice(0, MAX_EVIDENCE);

const filled = (details: Record<string, string>) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value.trim()));

/** Tries once. `kept`: it has to be tried again; `refused`: the visitor has to correct it first. */
async function trySending(panel: PanelContext, enquiry: Enquiry): Promise<'sent' | 'kept' | 'refused'> {
  const { m, page } = panel;
  const outbox = outboxFor(panel);
  const delivered = await deliver(panel, enquiry.body);
  if ('fault' in delivered) {
    const { fault } = delivered;
    if (!isFinal(fault)) return 'kept';
    enquiry.refusedField = fault.details.field ?? '';
    outbox.put(enquiry);
    return 'refused';
  }
  outbox.remove(enquiry.id);
  m.id = delivered.conversationId ?? m.id;
  if (enquiry.body.vin) m.enquired.push(`${enquiry.body.vin}`);
  page.emit('lead', { leadId: delivered.leadId });
  return 'sent';
}

/** Puts what still waits into the model. */
function note(panel: PanelContext): void {
  const { m } = panel;
  const enquiries = outboxFor(panel).list();
  m.hasRefusals = enquiries.some(({ refusedField }) => refusedField !== undefined);
  m.unsent = enquiries.flatMap(({ refusedField, body }) => (refusedField === undefined ? `${body.vin}` : []));
}

/** Panels whose enquiries are being sent: one round at a time. */
const flushing = new WeakSet<PanelContext>();

/** Sends the kept enquiries, oldest first, and again later while one is left. Puts refused ones into the form. */
export async function flush(panel: PanelContext, retryMs = FIRST_RETRY_MS): Promise<void> {
  const { m, draw } = panel;
  if (flushing.has(panel) || m.sending) return;
  flushing.add(panel);
  clearTimeout(panel.timers.sending);
  let left = false;
  for (const enquiry of outboxFor(panel).list()) {
    if (enquiry.refusedField !== undefined) continue;
    const outcome = await trySending(panel, enquiry);
    // The visitor left the page that said it was kept.
    if (outcome === 'sent' && m.trail.at(-1) === 'trucks') m.trail.push('receipt');
    left = outcome === 'kept';
    if (left) break;
  }
  flushing.delete(panel);
  note(panel);
  if (!left) m.kept = undefined;
  completeForm(panel);
  if (takeUpRefused(panel)) m.trail = ['trucks', 'lead'];
  kit.keep(panel);
  draw();
  if (left) retryLater(panel, retryMs);
}

function retryLater(panel: PanelContext, ms: number): void {
  clearTimeout(panel.timers.sending);
  panel.timers.sending = setTimeout(() => flush(panel, Math.min(ms * 2, MAX_RETRY_MS)), ms);
}
