import { html } from 'hono/html';
import { badge } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { Lead } from '../schemas/leads.ts';
import type { LeadStatus } from '../states.ts';

export function statusBadge(status: LeadStatus, isSuspicious: boolean): Html {
  const shown =
    status === 'new' ? badge('unanswered', 'warn') : badge(status, status === 'contacted' ? 'good' : 'plain');
  return isSuspicious ? html`${shown} ${badge('may be a robot', 'warn')}` : shown;
}

/** Only what went wrong is worth a word in a list. */
export function deliveryBadge(delivery: Lead['delivery']): Html | string {
  if (delivery.some(({ status }) => status === 'dead')) return badge('not delivered', 'bad');
  return delivery.some(({ status, attempts }) => status === 'pending' && attempts > 0)
    ? badge('being tried again', 'warn')
    : '';
}
