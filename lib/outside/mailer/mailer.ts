/** One e-mail, plain text. */
export interface Mail {
  to: string;
  replyTo: { name: string | null; address: string } | null;
  subject: string;
  text: string;
  /** The text as HTML, for a person to read. */
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
