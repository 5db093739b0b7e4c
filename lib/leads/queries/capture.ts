import type { Sql } from '../../db/sql.ts';
import type { Captured, NewLead, Visit } from '../ports/leads.ts';
import { ADD_UPDATE, CAPTURE, CLOSE_FULL, CLOSE_OF_ANOTHER, MOVE_MESSAGES } from './capture-sql.ts';
import { postgresConversations } from './conversations.ts';

/** Stores an enquiry as the lead of its conversation, or as an update of it. */
export async function capture(
  sql: Sql,
  accountId: string,
  visit: Visit,
  newConversationId: string,
  lead: NewLead,
): Promise<Captured> {
  const conversation = await enterWithRoom(sql, accountId, visit, newConversationId, lead);
  const leadId = conversation.leadId ?? lead.id;
  const { name, email, phone, message, vin, suspicious, doubts, consent, intent, details, marketing } = lead;
  const params = [
    accountId,
    leadId,
    visit.dealer,
    conversation.id,
    visit.visitorId,
    name,
    email,
    phone,
    message,
    vin,
    suspicious,
    JSON.stringify(doubts),
    consent === null ? null : JSON.stringify(consent),
    intent,
    JSON.stringify(details),
    marketing === null ? null : JSON.stringify(marketing),
  ];
  const rows = await sql.query(conversation.leadId === null ? CAPTURE : ADD_UPDATE, params);
  const repeated = conversation.leadId !== null && rows.length === 0;
  const outcome = repeated ? 'repeated' : conversation.leadId === null ? 'captured' : 'updated';
  return { outcome, leadId, conversationId: conversation.id };
}

/** The visitor's conversation; one whose lead takes no more updates, or is another person's, is closed for the next. */
async function enterWithRoom(
  sql: Sql,
  accountId: string,
  visit: Visit,
  newId: string,
  lead: NewLead,
): Promise<{ id: string; leadId: string | null }> {
  const entered = await postgresConversations(sql).of(accountId).enter(visit, newId);
  if (entered.leadId === null) return entered;
  const params = [accountId, entered.id, entered.leadId];
  const full = await sql.query(CLOSE_FULL, params);
  const who = [lead.name, lead.email, lead.phone];
  const [other] = await sql.query<{ at: string }>(CLOSE_OF_ANOTHER, [...params, ...who]);
  if (full.length === 0 && other === undefined) return entered;
  const next = await enterWithRoom(sql, accountId, { ...visit, conversationId: null }, newId, lead);
  if (other !== undefined) await sql.query(MOVE_MESSAGES, [accountId, entered.id, next.id, other.at]);
  return next;
}
