/** Mail addresses and webhooks that leads are sent to, and how much is sent to each. */

/** Sends an hour. An unconfirmed destination is counted across all accounts. */
export interface SendLimits {
  unconfirmed: number;
  dealer: number;
  account: number;
}

export interface Destination {
  /** A mail address in lower case, or a webhook: what is confirmed. */
  address: string;
  /** Addresses that may lead to one mailbox are counted as one. */
  countedAs: string;
}

export interface SendRequest {
  dealer: string;
  destination: Destination;
  /** Of flagged enquiries each limit admits a third. */
  suspicious: boolean;
}

export interface SendPermit {
  allowed: boolean;
  /** The account proved that the destination is its dealer's. */
  confirmed: boolean;
  /** Seconds until there is room again; 0 when allowed. */
  waitSeconds: number;
  /** Of the send that was counted; null when none was. */
  sendId: string | null;
}

export interface LeadDestinations {
  of(accountId: string): {
    confirm(address: string): Promise<void>;
    /** Counts a send if the limits leave room for it. */
    reserve(request: SendRequest, limits: SendLimits): Promise<SendPermit>;
    /** Takes a send that did not reach its destination out of the count. */
    release(sendId: string): Promise<void>;
  };
  /** Forgets sends of more than an hour ago; returns the number of them. */
  sweep(): Promise<number>;
}
