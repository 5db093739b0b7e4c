import { html } from 'hono/html';
import { isProOrAbove } from '../../accounts/access.ts';
import { facts, table } from '../../dashboard/parts/table.ts';
import { copyable, moment, momentOr } from '../../dashboard/parts/text.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { compareListing } from '../../market/market-comparables.ts';
import { Unavailable } from '../../outside/faults.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import type { ExplainedQuality, ListingDoc } from '../../truck/listing/truck.ts';
import type { Origin } from '../../truck/origins.ts';
import { readListingWithHistory } from '../read-listing.ts';
import { VinParams } from '../schemas.ts';
import { factTable } from './fact-table.ts';
import { historyTable } from './history-view.ts';
import { marketView } from './market-view.ts';
import { type PricePoint, priceHistory } from './price-history.ts';
import { type Photo, showPrice, statusBadge, type TruckSummary } from './truck-table.ts';
import { nextSteps, photoTable } from './truck-views.ts';
import { vinView } from './vin-view.ts';

/** As GET by VIN answers it. */
interface Listing extends Omit<ListingDoc, 'images'> {
  quality: ExplainedQuality;
  images: Photo[];
  status: TruckSummary['status'];
  price_history: PricePoint[];
  origins: Partial<Record<string, Origin>>;
  sources: Source[];
  first_seen_at: string;
  updated_at: string;
  sold_at: string | null;
}

interface Source {
  source_provider_id: string | null;
  status: TruckSummary['status'];
  observed_at: string;
}

/** The truck's own page does without other sellers' trucks. */
const compareIfPossible = (ctx: Context, found: Listing) =>
  compareListing(ctx, found).catch((error: unknown) => {
    if (error instanceof Unavailable) return 'unavailable' as const;
    throw error;
  });

/** One truck: what is known of it and from where, what is missing, and where its price stands. */
export const listing = page({
  params: VinParams,
  async show({ ctx, params }) {
    const { listing: found, dealerName, events } = await readListingWithHistory(ctx, params.vin);
    const market = isProOrAbove(requireAccount(ctx)) ? await compareIfPossible(ctx, found) : 'not_in_tier';
    const nowMs = ctx.ports.clock.now();
    const year = new Date(nowMs).getUTCFullYear();
    const command = `curl -H "Authorization: Bearer $KEY" ${ctx.origin}/v1/inventory/${encodeURIComponent(found.vin)}`;
    return {
      title: nameTruck(found),
      main: html`${summary(found, dealerName)}${nextSteps(found.quality)}
<section><h2>Facts</h2>${factTable(found)}</section>${vinView(found, year)}${photoTable(found.images)}
<section><h2>Price</h2>${priceHistory(found.price_history, found.currency, nowMs)}${marketView(market)}</section>
<section><h2>History</h2>${historyTable(events, found.currency)}</section>
<section><h2>Sources</h2>${sourceTable(found.sources)}</section>
<section><details><summary>For developers: the same truck by the API</summary><p class="hint">Put a secret key in <code>KEY</code>.</p>${copyable(command, 'command')}</details></section>`,
    };
  },
});

function summary(found: Listing, dealerName: string | null): Html {
  const { vin, status, price, currency, dealer, stock_number, location } = found;
  return facts([
    ['VIN', html`<code>${vin}</code>`],
    ['Status', statusBadge(status)],
    ['Price', showPrice(price, currency)],
    ['Stock number', stock_number ?? 'none'],
    ['Dealer', dealerName ?? dealer ?? 'none'],
    ['Place', [location?.city, location?.state].filter(Boolean).join(', ') || 'unknown'],
    ['First seen', moment(found.first_seen_at)],
    ['Last changed', moment(found.updated_at)],
    ...(found.sold_at === null ? [] : [['Sold', momentOr(found.sold_at, '')] as const]),
  ]);
}

function sourceTable(sources: readonly Source[]): Html {
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
