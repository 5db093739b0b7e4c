import type { Dealer } from '../../accounts/dealers/schemas.ts';
import type { Sql } from '../../db/sql.ts';
import { type Mail, MailFailure } from '../../outside/mailer/mailer.ts';
import type { Ports } from '../../ports.ts';
import { releaseSend, reserveSend, type SendRequest } from '../queries/sends.ts';
import type { Lead } from '../schemas/leads.ts';

/** An enquiry on its way to a dealer. */
export interface Sending {
  accountId: string;
  dealer: Dealer;
  lead: Lead;
  /** Number of the update; 0: the lead itself. */
  update: number;
  /** It is stored nowhere: no link leads to it. */
  isTest?: true;
  signal: AbortSignal;
}

/** How one try of a delivery ended. */
export interface Sent {
  /** `refused`: the receiver is gone for good. `postponed`: not tried, there is no room within the limits yet. */
  kind: 'delivered' | 'failed' | 'refused' | 'postponed';
  /** Null: delivered. */
  reason: string | null;
  /** What the receiver asked for, or until there is room. */
  afterSeconds?: number;
  /** Nothing reached the receiver: our own mail server failed. */
  isUnsent?: boolean;
}

export const DELIVERED: Sent = { kind: 'delivered', reason: null };

/** Runs `send` if the limits leave room for it; what waits is kept and says what it waits for. */
export async function sendWithinLimits<S extends Sent>(
  db: Sql,
  accountId: string,
  request: SendRequest,
  send: (isConfirmed: boolean) => Promise<S>,
): Promise<S | Sent> {
  const { allowed, confirmed, waitSeconds, sendId } = await reserveSend(db, accountId, request);
  if (!allowed) {
    const reason = confirmed ? 'hourly_limit' : 'waiting_for_confirmation';
    return { kind: 'postponed', reason, afterSeconds: waitSeconds };
  }
  const result = await send(confirmed);
  if (result.isUnsent) await releaseSend(db, accountId, sendId);
  return result;
}

/** Sends a mail to a dealer; one that did not reach it may be sent again. */
export async function sendMail(
  { mailer }: Pick<Ports, 'mailer'>,
  mail: Mail,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    await mailer.send(mail, signal);
    return DELIVERED;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { reason } = error;
    return { kind: 'failed', reason, isUnsent: reason !== 'smtp_timeout' };
  }
}
