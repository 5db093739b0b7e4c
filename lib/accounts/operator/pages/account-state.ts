import { html } from 'hono/html';
import { hidden } from '../../../dashboard/parts/form.ts';
import { badge } from '../../../dashboard/parts/text.ts';
import type { Html } from '../../../http/pages/page.ts';
import { TIERS } from '../../access.ts';
import type { Account } from '../schemas.ts';

/** What an operator sees of an account, in the list and on its own page. */

export function accountState({ erasing, erase_at, suspended, test }: Account): Html {
  if (erasing) return badge(erase_at === null ? 'being erased' : 'erased soon', 'bad');
  if (suspended) return badge('suspended', 'bad');
  return test ? badge('test') : badge('active', 'good');
}

/** Opens the account's own pages, read-only. */
export const lookForm = (id: string): Html =>
  html`<form method="post" action="/dashboard/operator" class="inline">${hidden({ id, action: 'enter' })}<button>Look at it</button></form>`;

export const TIER_CHOICES = TIERS.map((value) => ({ value, label: value }));
