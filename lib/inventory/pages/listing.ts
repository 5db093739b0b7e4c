import { html } from 'hono/html';
import { isProOrAbove } from '../../accounts/access.ts';
import { facts, table } from '../../dashboard/parts/table.ts';
import { badge, count, moment } from '../../dashboard/parts/text.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { compareListing } from '../../market/comparables.ts';
import { Unavailable } from '../../outside/faults.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { checkVin } from '../../truck/vin/vin-contradictions.ts';
import type { ListingAnswer, ListingEvent, ListingWithHistory } from '../read-by-vin.ts';
import { readListingWithHistory } from '../read-listing.ts';
import { VinParams } from '../schemas.ts';
import { factTable } from './facts.ts';
import { marketView } from './market-view.ts';
import { namePart, showPrice, statusBadge } from './truck-table.ts';

/** One truck: what is wrong or missing, what is known of it and from where, and where its price stands. */
export default page({
  params: VinParams,
  async show({ ctx, params }) {
    const truck = await readListingWithHistory(ctx, params.vin);
    const market = isProOrAbove(requireAccount(ctx)) ? await compareIfPossible(ctx, truck) : 'not_in_tier';
    const year = new Date(ctx.ports.clock.now()).getUTCFullYear();
    return {
      title: nameTruck(truck),
      main: html`${verdict(truck, year)}${summary(truck)}
<section><h2>Facts</h2>${factTable(truck)}</section>
<section><h2>Photos</h2>${photoTable(truck.images)}</section>
<section><h2>In the market</h2>${marketView(market)}</section>
<section><h2>History</h2>${historyTable(truck)}</section>
<section><h2>Sources</h2>${sourceTable(truck.sources)}</section>`,
    };
  },
});

/** The truck's own page does without other sellers' trucks. */
const compareIfPossible = (ctx: Context, truck: ListingAnswer) =>
  compareListing(ctx, truck).catch((error: unknown) => {
    if (error instanceof Unavailable) return 'unavailable' as const;
    throw error;
  });

/** In one line: what is wrong, and what is missing, with the points that it would add. */
function verdict(truck: ListingAnswer, currentYear: number): Html {
  const { score, parts } = truck.quality;
  const failed = truck.images.filter(({ status }) => status === 'failed').length;
  const wrong = [
    ...checkVin({ ...truck, images: [] }, currentYear).map(({ message }) => message),
    ...(failed === 0 ? [] : [`${count(failed, 'photo')} could not be downloaded.`]),
  ];
  const missing = parts.flatMap(({ part, points, of }) => (points > 0 ? [] : [`${namePart(part)} +${of}`]));
  const lack = missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}.`;
  return html`<p class="${wrong.length === 0 ? 'hint' : 'warn'}">${wrong.map((text) => `${text} `)}Quality ${score} of 100. ${lack}</p>`;
}

function summary(truck: ListingWithHistory): Html {
  const { vin, status, price, currency, dealerName, dealer, stock_number, location } = truck;
  return facts([
    ['VIN', html`<code>${vin}</code>`],
    ['Status', statusBadge(status)],
    ['Price', showPrice(price, currency)],
    ['Stock number', stock_number ?? 'none'],
    ['Dealer', dealerName ?? dealer ?? 'none'],
    ['Place', [location?.city, location?.state].filter(Boolean).join(', ') || 'unknown'],
    ['Last changed', moment(truck.updated_at)],
  ]);
}

/** Photos in the dealer's order, and why some are not shown. */
function photoTable(photos: ListingAnswer['images']): Html {
  if (photos.length === 0)
    return html`<p>There are none. Add links to photos in your system: buyers pass over trucks that they cannot see.</p>`;
  const rows = photos.map(({ url, status, reason, renditions: [smallest] }, at) => [
    smallest
      ? html`<img class="thumb" src="${smallest.url}" alt="Photo ${at + 1}" loading="lazy">`
      : `${at + 1}`,
    status === 'stored' ? badge('shown', 'good') : badge(status, status === 'failed' ? 'bad' : 'plain'),
    reason?.replaceAll('_', ' ') ?? '',
    html`<code>${url}</code>`,
  ]);
  return table('Photos of the truck', ['Photo', 'State', 'Why', 'From'], rows);
}

const KINDS: Readonly<Record<ListingEvent['kind'], string>> = {
  created: 'Listed',
  changed: 'Changed',
  sold: 'Sold',
  delisted: 'Taken off the list',
  vanished: 'Missing from the feed’s file, and taken off the list',
  relisted: 'Listed again',
};

/** What befell the truck, newest first, and who did it. */
function historyTable({ events, currency }: ListingWithHistory): Html {
  const rows = events.map(({ kind, oldPrice, newPrice, at, ...by }) => {
    const price = showPrice(newPrice, currency);
    const change = oldPrice === newPrice ? '' : `${showPrice(oldPrice, currency)} → ${price}`;
    return [KINDS[kind], kind === 'created' ? price : change, author(by), moment(at)];
  });
  return table('What befell the truck, newest first', ['What', 'Price', 'By', 'When'], rows);
}

function author({ actor, feedId, runId }: Pick<ListingEvent, 'actor' | 'feedId' | 'runId'>): Html | string {
  if (actor !== null) return actor === 'operator' ? 'the operator' : actor;
  if (feedId === null || runId === null) return 'API or upload';
  return html`<a href="/dashboard/feeds/${feedId}/runs/${runId}">${feedId === 'upload' ? 'an upload' : 'a feed’s run'}</a>`;
}

function sourceTable(sources: ListingAnswer['sources']): Html {
  return table(
    'Where the truck comes from; the first is the one shown',
    ['System', 'Status', 'Last sent'],
    sources.map(({ source_provider_id, status, observed_at }) => [
      source_provider_id ?? 'not named',
      statusBadge(status),
      moment(observed_at),
    ]),
  );
}
