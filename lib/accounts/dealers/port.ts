import type * as z from 'zod/mini';
import type { Change, Page } from '../ports/accounts.ts';
import type { DealerAnswer, WebhookCheck } from './schemas.ts';

/** The dealers of an account. */

export type Dealer = z.output<typeof DealerAnswer>;

export type DealerChange = Change<Omit<Dealer, 'slug' | 'lead_webhook_check' | 'created_at' | 'updated_at'>>;

export interface Dealers {
  of(accountId: string): AccountDealers;
}

/** A sealed signing secret for a dealer's webhook: taken if it has none yet, or in place of its old one. */
export interface WebhookSecret {
  value: string;
  replaces: boolean;
}

export interface SavedDealer {
  dealer: Dealer;
  created: boolean;
  /** The secret of this call is the one that was stored. */
  secretTaken: boolean;
  /** It was created after trucks that have no dealer. */
  hasUnassigned: boolean;
}

export interface AccountDealers {
  /**
   * Creates the dealer, which `change` names, or changes what `change` has. A webhook URL that is cleared takes its secret
   * along; `secret` is kept when there is a URL and the dealer has none. Null: the slug is new, and there are `maxDealers`
   * already.
   */
  save(
    slug: string,
    change: DealerChange,
    secret: WebhookSecret,
    maxDealers: number,
  ): Promise<SavedDealer | null>;
  /** Null when the account has no such dealer. */
  get(slug: string): Promise<Dealer | null>;
  /** What signs the calls of the dealer's webhook, sealed: the newest first, and for a day the one before. */
  webhookSecrets(slug: string): Promise<string[]>;
  /** Unless the dealer has another URL by now. */
  saveWebhookCheck(slug: string, url: string, check: WebhookCheck): Promise<void>;
  /** Removes a dealer that neither listing nor feed names. */
  remove(slug: string): Promise<'removed' | 'used' | 'absent'>;
  list(page: Page): Promise<Dealer[]>;
}

/** As the dealer was saved, unread. */
export type DealerPlace = Pick<Dealer, 'city' | 'state' | 'zip'>;
