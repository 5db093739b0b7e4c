import { html } from 'hono/html';
import { count } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { compareListing } from '../../market/comparables.ts';
import { WITHHELD_WORDS } from '../../market/pages/prices-view.ts';
import type { Verdict } from '../../market/schemas.ts';
import { showPrice } from './truck-table.ts';

const VERDICTS = {
  well_below_market: ' This one is well below the market.',
  below_market: ' This one is below the market.',
  at_market: ' This one is at the market.',
  above_market: ' This one is above the market.',
  well_above_market: ' This one is well above the market.',
  // The reasons say why.
  not_distinguishable: '',
} as const satisfies Record<Verdict, string>;

type Compared = Awaited<ReturnType<typeof compareListing>>;

/** Where the price stands among other sellers' trucks, and how sure that is. */
export function marketView(compared: Compared | 'not_in_tier' | 'unavailable'): Html {
  return compared === 'not_in_tier' || compared === 'unavailable'
    ? html`<p class="hint">${ABSENT_WORDS[compared]}</p>`
    : position(compared);
}

const ABSENT_WORDS = {
  not_in_tier: 'Pro and Enterprise accounts see where the price stands among other sellers’ trucks.',
  unavailable: 'Other sellers’ trucks cannot be read right now. Reload the page in a minute.',
} as const;

function position({ market, verdict, reasons }: Compared): Html {
  if (market.withheld !== null) return html`<p>${WITHHELD_WORDS[market.withheld]}</p>`;
  return html`<p>The median price of ${count(market.count, 'truck')} of ${count(market.sellers, 'seller')} is ${showPrice(market.price.p50)}.${verdict && VERDICTS[verdict]}</p>
<ul>${reasons.map(({ text }) => html`<li>${text}</li>`)}</ul>`;
}
