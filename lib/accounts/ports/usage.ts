/** What an account has and how much it is used. */

export interface KeyUsage {
  id: string;
  name: string | null;
  prefix: string;
  /** Calls since midnight, UTC. */
  day: number;
  /** Calls since the first of the month, UTC. */
  month: number;
}

export interface AccountOverview {
  name: string;
  created_at: string;
  listings: { available: number; sold: number; delisted: number };
  dealers: number;
  feeds: number;
  leads: number;
  photo_bytes: number;
  /** Of keys that are not revoked, or were used this month. */
  keys: KeyUsage[];
}

export interface Usage {
  /** Adds calls of today. */
  add(calls: readonly { accountId: string; keyId: string; requests: number }[]): Promise<void>;
  /** Tokens that the AI provider used today, UTC, for all accounts. */
  aiTokens(): Promise<number>;
  /** Adds to them; returns the sum. */
  addAiTokens(tokens: number): Promise<number>;
  /** Forgets the days of more than a year ago. */
  sweep(): Promise<number>;
  of(accountId: string): { overview(): Promise<AccountOverview> };
}
