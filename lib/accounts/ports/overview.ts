/** What of an account needs a person, and what happened lately. */

export interface Attention {
  /** Leads that nothing was done about; the oldest one's time. */
  new_leads: number;
  oldest_lead_at: string | null;
  /** Deliveries of leads that were given up. */
  undelivered: number;
  /** With the run that waits, or that failed. */
  held_feeds: { id: string; name: string; run: string }[];
  failing_feeds: { id: string; name: string; run: string }[];
  listings: { available: number; sold: number; delisted: number };
  /** Of those that are available. */
  without_images: number;
  without_price: number;
  /** In no widget. */
  without_dealer: number;
  /** Keys that end within two weeks. */
  ending_keys: { id: string; name: string | null; prefix: string; expires_at: string }[];
  /** What is not listed now, by what to change. */
  issues: { code: string; fix: string; trucks: number }[];
  /** Of all that is not listed: distinct trucks, and kinds of issues. */
  not_listed: { trucks: number; codes: number };
}

/** Of one day, UTC. */
export interface Day {
  day: string;
  created: number;
  sold: number;
  delisted: number;
}

export interface Overview {
  of(accountId: string): {
    attention(): Promise<Attention>;
    /** The last 30 days, oldest first; days without anything are there too. */
    days(): Promise<Day[]>;
  };
}
