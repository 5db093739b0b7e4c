import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import type { compareListing } from '../../services/market/market-comparables.ts';
import { facts } from '../parts/table.ts';
import { count } from '../parts/text.ts';
import { showPrice } from './truck-table.ts';

type Compared = Awaited<ReturnType<typeof compareListing>>;

const WITHHELD = {
  too_few_listings: 'There are too few trucks like this one of other sellers to say anything.',
  too_few_sellers: 'Too few other sellers have trucks like this one to say anything.',
  dominant_seller: 'Nearly all trucks like this one are one seller’s, so nothing is said.',
} as const;

/** Where the price stands among other sellers' trucks, and how sure that is. Null: not in the account's tier. */
export function marketView(compared: Compared | null): Html {
  return html`<h3>In the market</h3>${compared === null ? html`<p class="hint">Pro and Enterprise accounts see where the price stands among other sellers’ trucks.</p>` : position(compared)}`;
}

function position({ market, percentile, verdict, interval, reasons }: Compared): Html {
  if (market.withheld !== null) return html`<p>${WITHHELD[market.withheld]}</p>`;
  const sign = (percent: number) => (percent > 0 ? `+${percent} %` : `${percent} %`);
  const entries: [string, string][] = [
    ['Compared with', `${count(market.count, 'truck')} of ${count(market.sellers, 'seller')}`],
    ['Their median price', showPrice(market.price.p50)],
    ...(percentile === null ? [] : [['Ask less', `${percentile} % of them`] as [string, string]]),
    ...(verdict === null ? [] : [['The price is', verdict.replaceAll('_', ' ')] as [string, string]]),
    ...(interval === null
      ? []
      : [['Off a fair price by', `${sign(interval.low)} to ${sign(interval.high)}`] as [string, string]]),
  ];
  return html`${facts(entries)}<ul>${reasons.map(({ text }) => html`<li>${text}</li>`)}</ul>`;
}
