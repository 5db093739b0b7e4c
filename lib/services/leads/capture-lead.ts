import { createHash } from 'node:crypto';
import type { LeadInput } from '../../contract/widget/widget-lead.ts';
import { ApiError } from '../../errors.ts';
import type { Consent, NewLead } from '../../ports/leads.ts';
import { accountOf, type Context, dealerOf, invalid } from '../context.ts';
import { newId } from '../new-id.ts';
import { deliverLeads } from './deliver-leads.ts';
import { readPhone } from './parse-phone.ts';
import { doubtsAbout } from './spam-signals.ts';

/**
 * Stores a visitor's details for the dealer, with transcript, evidence of consent and what is to be sent, all or
 * nothing; then sets off the delivery. A conversation gives one lead: ALREADY_CAPTURED after that.
 */
export async function captureLead(ctx: Context, input: LeadInput) {
  const { email = null, name = null, message, visitorId } = input;
  const phone = input.phone === undefined ? null : await readPhone(input.phone);
  if (phone === 'unreadable')
    throw invalid('phone', 'is no phone number; outside the US begin with + and the country');
  if (email === null && phone === null) throw invalid('email', 'needed unless there is a phone');
  const doubts = await doubtsAbout(ctx, input);
  const lead: NewLead = {
    ...{ id: leadId(ctx), name, email, phone: phone?.e164 ?? null },
    message: phone?.extension ? `${message}\n\n(Phone extension ${phone.extension})` : message,
    vin: input.vin?.replace(/[\s-]/g, '').toUpperCase() || null,
    ...{ suspicious: doubts.length > 0, doubts, consent: consentOf(ctx, input) },
  };
  const visit = { dealer: dealerOf(ctx).slug, visitorId, conversationId: input.conversationId ?? null };
  const leads = ctx.ports.leads.of(accountOf(ctx).id);
  const { captured, conversationId } = await leads.capture(visit, newId(ctx.ports, 'conv'), lead);
  ctx.note({ captured, ...(doubts.length > 0 ? { doubts } : {}) });
  if (!captured)
    throw new ApiError('ALREADY_CAPTURED', 'This conversation has its lead already; nothing to do.', {
      details: { conversationId },
    });
  ctx.after(deliverLeads);
  return { leadId: lead.id, conversationId };
}

/** Ids sort by the time of capture. */
function leadId({ ports }: Context): string {
  const at = Math.floor(ports.clock.now()).toString(16).padStart(12, '0');
  return `lead_${at}${Buffer.from(ports.random.bytes(8)).toString('hex')}`;
}

function consentOf({ ports, caller }: Context, { consent }: LeadInput): Consent | null {
  if (!consent) return null;
  const { text = null, page = null } = consent === true ? {} : consent;
  return {
    text,
    sha256: text === null ? null : createHash('sha256').update(text).digest('hex'),
    page,
    at: new Date(ports.clock.now()).toISOString(),
    ip: caller.ip,
    user_agent: caller.userAgent?.slice(0, 500).toWellFormed() ?? null,
  };
}
