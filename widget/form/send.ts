import type { Card } from '../../lib/contract/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { Form, Model } from '../panel/model.ts';
import type { Scene } from '../panel/scene.ts';
import { deliver, isFinal } from './deliver.ts';
import { completeForm } from './empty-form.ts';
import { checkFields, readForms } from './forms.ts';
import { createOutbox, type Enquiry } from './outbox.ts';
import { WORDS } from './words.ts';

/** Sending enquiries: kept in the browser first, so that no fault of the connection loses one. */

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

const outboxes = new WeakMap<Scene, ReturnType<typeof createOutbox>>();

function outboxFor(scene: Scene) {
  const name = `${scene.who.dealerSlug}:outbox`;
  const outbox =
    outboxes.get(scene) ??
    createOutbox({
      read: () => kit.stored('localStorage', name),
      write: (text) => void kit.stored('localStorage', name, text),
    });
  outboxes.set(scene, outbox);
  return outbox;
}

/** What the visitor has to correct before it is sent. */
export function check({ email, phone }: Form): Model['wrong'] {
  const say = kit.translate(WORDS);
  const digits = phone.replace(/(ext|x|#).*$/i, '').replace(/\D/g, '');
  const isPhone = /^\s*\+/.test(phone) ? digits.length > 7 : /^1?\d{10}$/.test(digits);
  return {
    ...(email && !/^\S+@\S+\.\S+$/.test(email.trim()) && { email: say('address') }),
    ...(!email && !phone && { email: say('either') }),
    ...(phone && !isPhone && { phone: say('number') }),
  };
}

/** Sends the form; with a truck, that the visitor wants that one, too. */
export async function send(scene: Scene, truck?: Card): Promise<void> {
  const { m, draw } = scene;
  if (m.sending) return;
  completeForm(scene);
  m.wrong = { ...check(m.form), ...(truck ? {} : checkFields(scene)) };
  m.leadFault = null;
  if (Object.keys(m.wrong).length) {
    if (m.trail.at(-1) !== 'lead') kit.show(scene, 'lead');
    return draw('[aria-invalid=true]');
  }
  const enquiry = compose(scene, truck);
  outboxFor(scene).add(enquiry);
  m.sending = true;
  draw();
  const sent = await trySending(scene, enquiry);
  m.sending = false;
  if (sent === 'refused') return draw('[aria-invalid=true]');
  m.kept = sent === 'kept';
  m.captured = true;
  if (enquiry.body.vin) m.enquired.push(`${enquiry.body.vin}`);
  if (!truck) Object.assign(m.form, { message: '', intent: '', details: {} });
  kit.keep(scene);
  kit.show(scene, 'sent');
  if (m.kept) retryLater(scene, FIRST_RETRY_MS);
}

function compose(scene: Scene, truck?: Card): Enquiry {
  const { m, data, who } = scene;
  const say = kit.translate(WORDS);
  const { message, marketing, intent, details, ...form } = m.form;
  const page = location.origin + location.pathname;
  const offers = marketing && form.phone && readForms(scene)?.marketing.text;
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
async function trySending(scene: Scene, { id, body }: Enquiry): Promise<'sent' | 'kept' | 'refused'> {
  const { m, stage } = scene;
  const delivered = await deliver(scene, body);
  if ('fault' in delivered) {
    const { fault } = delivered;
    if (!isFinal(fault)) return 'kept';
    outboxFor(scene).remove(id);
    showRefused(scene, fault.details.field, body);
    return 'refused';
  }
  outboxFor(scene).remove(id);
  m.id = delivered.conversationId ?? m.id;
  stage.emit('lead', { leadId: delivered.leadId });
  return 'sent';
}

/** Puts a refused enquiry back into the form, with the fault at its field. */
function showRefused({ m }: Scene, field = '', body: Enquiry['body']): void {
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
const flushing = new WeakSet<Scene>();

/** Sends what is kept, oldest first; goes on later while something is left. */
export async function flush(scene: Scene, retryMs = FIRST_RETRY_MS): Promise<void> {
  const { m, draw } = scene;
  if (flushing.has(scene) || m.sending) return;
  flushing.add(scene);
  clearTimeout(scene.timers.sending);
  const outbox = outboxFor(scene);
  let left = false;
  for (const enquiry of outbox.list()) {
    const sent = await trySending(scene, enquiry);
    if (sent === 'refused') m.trail = ['trucks', 'lead'];
    left ||= sent === 'kept';
    if (left) break;
  }
  flushing.delete(scene);
  m.kept &&= left;
  kit.keep(scene);
  draw();
  if (left) retryLater(scene, retryMs);
}

function retryLater(scene: Scene, ms: number): void {
  clearTimeout(scene.timers.sending);
  scene.timers.sending = setTimeout(() => flush(scene, Math.min(ms * 2, MAX_RETRY_MS)), ms);
}
