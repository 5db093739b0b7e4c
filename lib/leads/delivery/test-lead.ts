import { readDealer } from '../../accounts/dealers/dealers.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import type { Lead } from '../schemas/leads.ts';
import type { DeliveryKind } from '../statuses.ts';
import { mailLead } from './mail.ts';
import { type Called, checkWebhook, toLeadEvent } from './webhook.ts';

/** A person waits for the answer. */
const TIMEOUT_MS = 15_000;

/** Sends a lead that nobody left the way that real ones go, and stores no lead. */
export async function sendTestLead(ctx: Context, slug: string, kind: DeliveryKind) {
  const dealer = await readDealer(ctx, slug);
  const accountId = requireAccount(ctx).id;
  const lead = makeTestLead(ctx, slug);
  const sending = {
    accountId,
    dealer,
    lead,
    update: 0,
    isTest: true as const,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const called: Called =
    kind === 'email'
      ? await mailLead(ctx.ports, sending)
      : await checkWebhook(ctx.ports, sending, toLeadEvent(lead, 0));
  const { kind: outcome, reason, request = null, response = null } = called;
  return { kind, outcome, reason, request, response };
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
    message: 'This is a test. Nobody waits for an answer, and no lead is stored.',
    vin: null,
    truck: null,
    suspicious: false,
    spam_signals: [],
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
