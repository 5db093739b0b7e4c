import type { Intent } from '../../contract/leads/intents.ts';
import type { DeliveryKind, DeliveryStatus, LeadStatus, Speaker } from '../../contract/leads/lead-states.ts';
import type { Page } from '../accounts/accounts.ts';
import type { AuditEntry } from '../accounts/audit.ts';

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

/** The truck a lead is about, as it was then. */
export interface LeadTruck {
  vin: string;
  year: number | null;
  make: string | null;
  model: string | null;
  trim: string | null;
  condition: string | null;
  price: number | null;
  /** Older leads lack it. */
  currency?: string | null;
  mileage: number | null;
  stock_number: string | null;
}

/** What a visitor agreed to, and the evidence. */
export interface Consent {
  text: string | null;
  /** SHA-256 of the text, hex. */
  sha256: string | null;
  page: string | null;
  at: string;
  ip: string;
  user_agent: string | null;
}

/** What a visitor sends with the form. */
export interface Enquiry {
  name: string | null;
  email: string | null;
  /** E.164. */
  phone: string | null;
  message: string;
  vin: string | null;
  suspicious: boolean;
  /** Why it is suspicious. */
  doubts: string[];
  consent: Consent | null;
  /** What the visitor asks for; null: nothing in particular. */
  intent: Intent | null;
  /** What the form of that intent asked. */
  details: Record<string, string>;
  /** For text messages that advertise. */
  marketing: Consent | null;
}

export interface NewLead extends Enquiry {
  id: string;
}

/** How one way of delivery stands. */
export interface Delivery {
  kind: DeliveryKind;
  status: DeliveryStatus;
  attempts: number;
  last_error: string | null;
  next_try_at: string | null;
  delivered_at: string | null;
}

/** A later enquiry of a visitor whose lead is captured already. */
export interface LeadUpdate extends Enquiry {
  /** From 1, without gaps. */
  n: number;
  truck: LeadTruck | null;
  /** What was said since the enquiry before. */
  transcript: Lead['transcript'];
  delivery: Delivery[];
  created_at: string;
}

export interface Lead extends NewLead {
  dealer: string;
  conversation_id: string;
  visitor_id: string;
  truck: LeadTruck | null;
  status: LeadStatus;
  transcript: { role: Speaker; text: string; at: string }[];
  delivery: Delivery[];
  /** Oldest first. */
  updates: LeadUpdate[];
  created_at: string;
  updated_at: string;
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
    /** Forgets the lead, its transcript and its conversation, and leaves an audit row; false when there is no such lead. */
    erase(id: string, by: Pick<AuditEntry, 'requestId' | 'actor'>): Promise<boolean>;
  };
  /**
   * Deliveries of a kind that are due, across all accounts, leased for `leaseSeconds`, the longest due first; of a dealer
   * at most two at a time.
   */
  claim(kind: DeliveryKind, max: number, leaseSeconds: number): Promise<DeliveryJob[]>;
  /** These four return false when another worker has claimed it meanwhile; then nothing was written. */
  delivered(job: DeliveryJob): Promise<boolean>;
  retry(job: DeliveryJob, error: string, delaySeconds: number): Promise<boolean>;
  /** Was not tried: waits for `delaySeconds`, for the reason given. */
  postpone(job: DeliveryJob, reason: string, delaySeconds: number): Promise<boolean>;
  /** Given up. */
  bury(job: DeliveryJob, error: string): Promise<boolean>;
  /** Forgets leads captured more than so many days ago; returns the number of them. */
  sweep(days: number): Promise<number>;
}

/** A claimed delivery. */
export interface DeliveryJob {
  accountId: string;
  leadId: string;
  /** Number of the update; 0: the lead itself. */
  update: number;
  kind: DeliveryKind;
  /** Tries, this one included. */
  attempts: number;
  fence: number;
  /** Since the enquiry was stored. */
  ageSeconds: number;
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
