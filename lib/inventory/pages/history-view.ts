import { html } from 'hono/html';
import { table } from '../../dashboard/parts/table.ts';
import { moment } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { ListingEvent } from '../queries/by-vin.ts';
import { showPrice } from './truck-table.ts';

const KINDS: Readonly<Record<ListingEvent['kind'], string>> = {
  created: 'Listed',
  changed: 'Changed',
  sold: 'Sold',
  delisted: 'Taken off the list',
  vanished: 'Missing from the feed’s file, and taken off the list',
  relisted: 'Listed again',
};

/** What befell the truck, newest first, and who did it. */
export function historyTable(events: readonly ListingEvent[], currency: string | null): Html {
  return table(
    'What befell the truck, newest first',
    ['What', 'Price', 'By', 'When'],
    events.map((event) => [KINDS[event.kind], priceChange(event, currency), author(event), moment(event.at)]),
  );
}

function priceChange({ kind, oldPrice, newPrice }: ListingEvent, currency: string | null): string {
  if (kind === 'created') return showPrice(newPrice, currency);
  if (oldPrice === newPrice) return '';
  return `${showPrice(oldPrice, currency)} → ${showPrice(newPrice, currency)}`;
}

function author({ actor, feedId, runId }: ListingEvent): Html | string {
  if (actor !== null) return actor === 'operator' ? 'the operator' : actor;
  if (feedId === null || runId === null) return 'API or upload';
  return html`<a href="/dashboard/feeds/${feedId}/runs/${runId}">${feedId === 'upload' ? 'an upload' : 'a feed’s run'}</a>`;
}
