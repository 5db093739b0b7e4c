import { html } from 'hono/html';
import { VinParams } from '../../contract/inventory.ts';
import type { Origin } from '../../contract/origins.ts';
import { FIELD_NAMES, labelFor } from '../../contract/record/record.ts';
import type { ExplainedQuality, ListingDoc } from '../../domain/listing/truck.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { requireAccount } from '../../services/context.ts';
import { readListing } from '../../services/inventory/read-listing.ts';
import { compareListing } from '../../services/market/market-comparables.ts';
import { facts, table } from '../parts/table.ts';
import { copyable, moment, momentOr, number } from '../parts/text.ts';
import { marketView } from './market-view.ts';
import { type PricePoint, priceHistory } from './price-history.ts';
import { nameTruck, type Photo, showPrice, statusBadge, type TruckSummary } from './truck-table.ts';
import { nextSteps, photoTable, vinView } from './truck-views.ts';

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

/** One truck: what is known of it and from where, what is missing, and where its price stands. */
export const listing = page({
  params: VinParams,
  async show({ ctx, params }) {
    const { json } = await readListing(ctx, params.vin);
    // The text is what the store joined from its own documents.
    const found: Listing = JSON.parse(json);
    const market = requireAccount(ctx).tier === 'starter' ? null : await compareListing(ctx, found);
    const year = new Date(ctx.ports.clock.now()).getUTCFullYear();
    const command = `curl -H "Authorization: Bearer $KEY" ${ctx.origin}/v1/inventory/${encodeURIComponent(found.vin)}`;
    return {
      title: nameTruck(found),
      main: html`${summary(found)}${nextSteps(found.quality)}
<section><h2>Facts</h2>${factTable(found)}</section>${vinView(found, year)}${photoTable(found.images)}
<section><h2>Price</h2>${priceHistory(found.price_history, found.currency)}${marketView(market)}</section>
<section><h2>Sources</h2>${sourceTable(found.sources)}</section>
<section><details><summary>For developers: the same truck by the API</summary><p class="hint">Put a secret key in <code>KEY</code>.</p>${copyable(command, 'command')}</details></section>`,
    };
  },
});

function summary(found: Listing): Html {
  const { vin, status, price, currency, dealer, stock_number, location } = found;
  return facts([
    ['VIN', html`<code>${vin}</code>`],
    ['Status', statusBadge(status)],
    ['Price', showPrice(price, currency)],
    ['Stock number', stock_number ?? 'none'],
    ['Dealer', dealer ?? 'none'],
    ['Place', [location?.city, location?.state].filter(Boolean).join(', ') || 'unknown'],
    ['First seen', moment(found.first_seen_at)],
    ['Last changed', moment(found.updated_at)],
    ...(found.sold_at === null ? [] : [['Sold', momentOr(found.sold_at, '')] as const]),
  ]);
}

/** Longest text of a value. */
const MAX_TEXT = 600;

const FROM: Readonly<Record<Origin, string>> = {
  record: 'as you sent it',
  vin: 'the VIN',
  dealer: 'where the dealer is',
  gazetteer: 'our list of places',
  geocoder: 'the geocoder',
};

function factTable({ derived, origins, attributes, ...found }: Listing): Html {
  const known = FIELD_NAMES.flatMap((name) => {
    const value = found[name];
    if (value === null) return [];
    const origin = origins[name] ?? 'record';
    const from = origin === 'record' && derived.includes(name) ? 'what you sent' : FROM[origin];
    return [[labelFor(name), showValue(value), from]];
  });
  const unknown = Object.entries(attributes).map(([name, value]) => [
    name,
    showValue(value),
    'as you sent it, kept beside the others',
  ]);
  return table(
    'Facts of the truck',
    [{ label: 'Field' }, { label: 'Value' }, { label: 'From' }],
    [...known, ...unknown],
  );
}

function showValue(value: unknown): string {
  if (typeof value === 'number') return value >= 10_000 ? number(value) : String(value);
  if (Array.isArray(value)) return value.map(String).join(', ').slice(0, MAX_TEXT);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function sourceTable(sources: readonly Source[]): Html {
  return table(
    'Where the truck comes from; the first is the one shown',
    [{ label: 'System' }, { label: 'Status' }, { label: 'Last sent' }],
    sources.map(({ source_provider_id, status, observed_at }) => [
      source_provider_id ?? 'not named',
      statusBadge(status),
      moment(observed_at),
    ]),
  );
}
