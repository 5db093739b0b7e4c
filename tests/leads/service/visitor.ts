import { expect } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { type Answer, startService } from '../../support/service/service.ts';

export const service = await startService();
export const account = await service.newAccount();
export const dealer = await newDealer();

export async function newDealer(change: Record<string, unknown> = {}): Promise<string> {
  const slug = uniqueSlug();
  const saved = await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks', ...change });
  expect(saved.status, saved.text).toBe(201);
  return slug;
}

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
export const findLead = async (captured: Answer) => {
  expect(captured.status, captured.text).toBe(201);
  const found = (await listLeads()).find(({ id }: { id: string }) => id === captured.body.leadId);
  if (!found) throw new Error('the lead is not in the list');
  return found;
};
