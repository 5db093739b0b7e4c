import { expect } from 'vitest';
import { appendMessages } from '../../../lib/chat/queries.ts';
import { enterConversation } from '../../../lib/leads/enter-conversation.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { type Answer, startService } from '../../support/service/service.ts';

export const service = await startService();
export const account = await service.newAccount();
export const dealer = await newDealer();

export async function newDealer(change: Record<string, unknown> = {}): Promise<string> {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks', ...change });
  return slug;
}

const { db } = service.ports;
/** The visitor's open conversation at a dealer, else a new one `newId`. */
export const enter = (visitorId: string, newId = `conv_${visitorId}`, at = dealer) =>
  enterConversation(db, account.id, { dealer: at, visitorId, conversationId: null }, newId);
export const say = (conversationId: string, ...texts: string[]) =>
  appendMessages(
    db,
    account.id,
    conversationId,
    texts.map((text, n) => ({ role: n % 2 === 0 ? 'visitor' : 'assistant', text, vins: [] })),
  );

let visitors = 0;
export const uniqueVisitor = () => `visitor-${++visitors}`;
export const leave = (lead: Record<string, unknown> = {}): Promise<Answer> =>
  account.call('POST', '/v1/widget/lead', {
    message: 'Is it still there?',
    dealerSlug: dealer,
    visitorId: uniqueVisitor(),
    email: 'jane@visitor.example',
    ...lead,
  });
export const listLeads = async (slug = dealer, query = '') =>
  (await account.call('GET', `/v1/leads?dealer=${slug}${query}`)).body.leads;
export const listIds = async (slug = dealer, query = ''): Promise<string[]> =>
  (await listLeads(slug, query)).map(({ id }: { id: string }) => id);
export const findLead = async (captured: Answer) => {
  expect(captured.status, captured.text).toBe(201);
  return (await account.call('GET', `/v1/leads/${captured.body.leadId}`)).body;
};
