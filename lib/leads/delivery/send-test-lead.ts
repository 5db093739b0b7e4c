import { readDealer } from '../../accounts/dealers/dealers.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import type { Lead } from '../ports/leads.ts';
import type { DeliveryKind } from '../schemas/lead-states.ts';
import { checkWebhook } from './call-webhook.ts';
import { type Posted, toLeadEvent } from './post-webhook.ts';
import { sendLead } from './send-lead.ts';
import type { Sent } from './sent.ts';

/** A person waits for the answer. */
const TIMEOUT_MS = 15_000;

/** Sends a lead that nobody left the way that real ones go, and stores no lead. */
export async function sendTestLead(ctx: Context, slug: string, kind: DeliveryKind) {
  const dealer = await readDealer(ctx, slug);
  const accountId = requireAccount(ctx).id;
  const lead = makeTestLead(ctx, slug);
  if (kind === 'email') {
    const sending = { accountId, dealer, lead, update: 0, kind };
    return toAnswer(kind, await sendLead(ctx.ports, sending, AbortSignal.timeout(TIMEOUT_MS)), null);
  }
  const calling = { accountId, dealer: slug, url: dealer.lead_webhook_url, suspicious: false };
  const { sent, posted } = await checkWebhook(ctx.ports, calling, toLeadEvent(lead, 0));
  return toAnswer(kind, sent, posted);
}

function toAnswer(kind: DeliveryKind, sent: Sent, posted: Posted | null) {
  return {
    kind,
    outcome: sent.kind,
    reason: sent.kind === 'delivered' ? null : sent.reason,
    request: posted?.request ?? null,
    response: posted === null || posted.status === null ? null : { status: posted.status },
  };
}

function makeTestLead(ctx: Context, dealer: string): Lead {
  const id = newId(ctx.ports, 'test');
  const at = new Date(ctx.ports.clock.now()).toISOString();
  return {
    id: `lead_${id}`,
    dealer,
    conversation_id: `conv_${id}`,
    visitor_id: id,
    status: 'new',
    name: 'Test Lead',
    email: 'test.lead@example.com',
    phone: '+12145550100',
    message: 'This is a test of the way that leads take to you. Nobody waits for an answer.',
    vin: null,
    truck: null,
    suspicious: false,
    doubts: [],
    intent: null,
    details: {},
    consent: null,
    marketing: null,
    transcript: [],
    delivery: [],
    updates: [],
    created_at: at,
    updated_at: at,
  };
}
