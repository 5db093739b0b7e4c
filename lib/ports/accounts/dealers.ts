import type * as z from 'zod/mini';
import type { DealerAnswer, WebhookCheck } from '../../contract/dealers/dealers.ts';
import type { Change, Page } from './accounts.ts';

/** The dealers of an account. */

export type Dealer = z.output<typeof DealerAnswer>;

export type DealerChange = Change<Omit<Dealer, 'slug' | 'lead_webhook_check' | 'created_at' | 'updated_at'>>;

export interface Dealers {
  of(accountId: string): AccountDealers;
  /** Webhook secrets stored in the clear, across all accounts. */
  plainSecrets(limit: number): Promise<{ accountId: string; slug: string; secret: string }[]>;
}

/** A sealed signing secret for a dealer's webhook: taken if it has none yet, or in place of its old one. */
export interface WebhookSecret {
  value: string;
  replaces: boolean;
}

export interface AccountDealers {
  /**
   * `hasUnassigned`: it was created after trucks that have no dealer. A webhook URL that is cleared takes its secret along; `secret` is
   * kept when there is a URL and the dealer has none, and then the answer has it. `too_many`: the slug is new, and there are
   * `maxDealers` already.
   */
  save(
    slug: string,
    name: string,
    rest: DealerChange,
    secret: WebhookSecret,
    maxDealers: number,
  ): Promise<{ dealer: Dealer; created: boolean; secretTaken: boolean; hasUnassigned: boolean } | 'too_many'>;
  change(
    slug: string,
    change: DealerChange,
    secret: WebhookSecret,
  ): Promise<{ dealer: Dealer; secretTaken: boolean } | null>;
  /** Null when the account has no such dealer. */
  get(slug: string): Promise<Dealer | null>;
  /** What signs the calls of the dealer's webhook, sealed: the newest first, and for a day the one before. */
  webhookSecrets(slug: string): Promise<string[]>;
  /** Unless the dealer has another URL by now. */
  saveWebhookCheck(slug: string, url: string, check: WebhookCheck): Promise<void>;
  /** Puts one secret in the place of another, if that is still there. */
  replaceSecret(slug: string, before: string, after: string): Promise<void>;
  /** Removes a dealer that neither listing nor feed names. */
  remove(slug: string): Promise<'removed' | 'used' | 'absent'>;
  list(page: Page): Promise<Dealer[]>;
}

/** As the dealer was saved, unread. */
export type DealerPlace = Pick<Dealer, 'city' | 'state' | 'zip'>;
