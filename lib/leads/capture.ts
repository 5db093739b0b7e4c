import { hash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { type Context, requireAccount, requireDealer } from '../http/context.ts';
import { newId } from '../outside/new-id.ts';
import { readContacts } from './contacts.ts';
import { deliverAfterAnswer } from './delivery/deliver.ts';
import { readDetails } from './forms.ts';
import { maskPersonalNumbers } from './mask-personal-numbers.ts';
import { storeEnquiry } from './queries/capture.ts';
import type { Lead } from './schemas/leads.ts';
import type { LeadInput } from './schemas/widget.ts';
import { findSpamSignals } from './spam/spam-signals.ts';

/**
 * Stores a visitor's enquiry for the dealer, with transcript, evidence of consent and what is to be sent, all or
 * nothing; then starts the delivery. A conversation has one lead: another enquiry is added to it, and the same enquiry
 * again is ALREADY_CAPTURED.
 */
export async function captureLead(ctx: Context, input: LeadInput) {
  const { name = null, intent = null, message, visitorId } = input;
  const { email, phone, notes } = await readContacts(input);
  const signals = await findSpamSignals(ctx, input);
  const lead = {
    id: newLeadId(ctx),
    name: name && maskPersonalNumbers(name),
    email,
    phone,
    message: maskPersonalNumbers([message, ...notes.map((note) => `(${note})`)].join('\n\n')),
    intent,
    details: readDetails(intent, input.details ?? {}),
    vin: input.vin?.replace(/[\s-]/g, '').toUpperCase() || null,
    suspicious: signals.length > 0,
    spam_signals: signals,
    consent: toConsent(ctx, input.consent),
    marketing: toConsent(ctx, input.marketing),
  };
  const visit = { dealer: requireDealer(ctx).slug, visitorId, conversationId: input.conversationId ?? null };
  const { outcome, leadId, conversationId } = await storeEnquiry(
    ctx.ports.db,
    requireAccount(ctx).id,
    visit,
    newId(ctx.ports, 'conv'),
    lead,
  );
  ctx.note({ lead: outcome, ...(signals.length > 0 ? { spam_signals: signals } : {}) });
  if (outcome === 'repeated')
    throw new ApiError('ALREADY_CAPTURED', 'The dealer has this enquiry already; nothing to do.', {
      details: { conversationId, leadId },
    });
  deliverAfterAnswer(ctx);
  return { outcome, leadId, conversationId };
}

/** Ids sort by the time of capture. */
function newLeadId({ ports }: Context): string {
  const at = Math.floor(ports.clock.now()).toString(16).padStart(12, '0');
  return `lead_${at}${Buffer.from(ports.random.bytes(8)).toString('hex')}`;
}

function toConsent({ ports, request }: Context, consent: LeadInput['consent']): Lead['consent'] {
  if (!consent) return null;
  const { text = null, page = null } = consent === true ? {} : consent;
  return {
    text,
    sha256: text && hash('sha256', text),
    page,
    origin: request.headers.get('origin')?.slice(0, 500) ?? null,
    at: new Date(ports.clock.now()).toISOString(),
    ip: request.headers.get('x-real-ip')?.trim() ?? '',
    user_agent: request.headers.get('user-agent')?.slice(0, 500).toWellFormed() ?? null,
  };
}
