import type * as z from 'zod/mini';
import type { AuditEntry } from '../../accounts/queries/audit.ts';
import type { Page } from '../../db/sql.ts';
import type { DeliveryKind, DeliveryStatus, LeadStatus, Speaker } from '../schemas/lead-states.ts';
import type { LeadAnswer } from '../schemas/leads.ts';

/** Conversations of visitors, the leads they leave, and how leads are delivered. */

/** Who speaks with which dealer. */
export interface Visit {
  dealer: string;
  visitorId: string;
  /** As the caller names it; one that is not this visitor's at this dealer is as good as none. */
  conversationId: string | null;
}

export interface Message {
  role: Speaker;
  text: string;
  /** VINs of the trucks it is about. */
  vins: string[];
}

/** Conversations of visitors with dealers. */
export interface Conversations {
  of(accountId: string): {
    /**
     * The visitor's conversation: the one named, else the open one, else a new one under `newId`. One that nobody
     * touched for a day is no longer open. Concurrent calls of a visitor end in the same one.
     */
    enter(visit: Visit, newId: string): Promise<{ id: string; leadId: string | null }>;
    /** The newest messages, oldest first. */
    history(id: string, limit: number): Promise<(Message & { at: string })[]>;
    /** Adds messages in this order, after whatever is there; of the oldest only so many are kept. */
    append(id: string, messages: readonly Message[]): Promise<void>;
  };
  /** Forgets conversations that nobody touched for so many days; returns the number of them. */
  sweep(days: number): Promise<number>;
}

export type Lead = Omit<z.output<typeof LeadAnswer>, 'warnings'>;
/** A later enquiry of a visitor whose lead is captured already. */
export type LeadUpdate = Lead['updates'][number];
/** The truck a lead is about, as it was then. */
export type LeadTruck = NonNullable<Lead['truck']>;
/** What a visitor agreed to, and the evidence. */
export type Consent = NonNullable<Lead['consent']>;
/** How one way of delivery stands. */
export type Delivery = Lead['delivery'][number];

/** What a visitor sends with the form. */
export type Enquiry = Omit<LeadUpdate, 'n' | 'truck' | 'transcript' | 'delivery' | 'created_at'>;

export interface NewLead extends Enquiry {
  id: string;
}

/** Null: any. */
export interface LeadFilters {
  dealer: string | null;
  status: LeadStatus | null;
  /** ISO 8601: captured at this time or later. */
  since: string | null;
  /** ISO 8601: captured or changed at this time or later. */
  updatedSince: string | null;
  /** Lower case; of the lead or of an update of it. */
  email: string | null;
  /** E.164; the same. */
  phone: string | null;
}

/** One that looks automated: the lead (`update` 0) or an update of it. */
export interface FlaggedEnquiry {
  leadId: string;
  update: number;
  /** Name or contact. */
  who: string;
  at: string;
}

/** What became of an enquiry. */
export interface Captured {
  /** `repeated`: the very enquiry is stored already; nothing changed. */
  outcome: 'captured' | 'updated' | 'repeated';
  leadId: string;
  conversationId: string;
}

/** Leads, each with its outbox: they are written together, and a lead that is erased leaves nothing to send. */
export interface Leads {
  of(accountId: string): {
    /**
     * Captures a lead in the visitor's conversation, with its transcript, the truck of the VIN and one delivery per
     * way the dealer has, all or nothing. A conversation has one lead: another enquiry becomes an update of it with
     * deliveries of its own, and makes the lead `new` again.
     */
    capture(visit: Visit, newConversationId: string, lead: NewLead): Promise<Captured>;
    /** Newest first. */
    list(filters: LeadFilters, page: Page): Promise<Lead[]>;
    get(id: string): Promise<Lead | null>;
    setStatus(id: string, status: LeadStatus): Promise<Lead | null>;
    /** Makes what was not delivered due now, with tries as new, and adds ways that the dealer has gained. */
    retryDeliveries(id: string): Promise<void>;
    /** Flagged enquiries that wait to be mailed to a dealer, the longest due first. */
    waitingFlagged(dealer: string): Promise<FlaggedEnquiry[]>;
    /** They reached their dealer in a digest. */
    deliveredInDigest(enquiries: readonly FlaggedEnquiry[]): Promise<void>;
    /** Of one that is still pending. One that is given up raises an alert. */
    endDelivery(
      delivery: { leadId: string; update: number; kind: DeliveryKind },
      end: DeliveryEnd,
    ): Promise<void>;
    /** Forgets the lead, its transcript and its conversation, and leaves an audit row; false when there is no such lead. */
    erase(id: string, by: Pick<AuditEntry, 'requestId' | 'actor'>): Promise<boolean>;
  };
  /** Forgets leads captured more than so many days ago; returns the number of them. */
  sweep(days: number): Promise<number>;
}

/** What a try of a delivery came to. */
export interface DeliveryEnd {
  status: DeliveryStatus;
  error: string | null;
  attempts: number;
  /** Until the next try; null: there is none. */
  againSeconds: number | null;
}

/** One e-mail, plain text. */
export interface Mail {
  to: string;
  replyTo: { name: string | null; address: string } | null;
  subject: string;
  text: string;
  /** The same for a person to read. */
  html?: string;
  /** What makes its Message-ID: the same on every try. */
  id: string;
  /** Where a POST ends mails like this one (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Throws `MailFailure`. */
export interface Mailer {
  /** Ends when the next server has taken the mail over; gives up when `signal` aborts. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Throws `MailFailure` when mails cannot be sent; absent where no server is needed. */
  ping?(): Promise<void>;
}

/** A mail was not taken. `reason` is a short code, such as `smtp_550`, without anybody's address. */
export class MailFailure extends Error {
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the mail was not taken: ${reason}`, { cause });
    this.name = 'MailFailure';
    this.reason = reason;
  }
}
