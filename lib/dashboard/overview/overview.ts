import { html } from 'hono/html';
import { page } from '../../http/pages/page.ts';
import { requireAccount } from '../../services/context.ts';
import { count, number } from '../parts/text.ts';

/** What needs the seller today, and what happened lately. */
export const overview = page({
  async show({ ctx }) {
    const { listings, dealers, feeds, leads } = await ctx.ports.usage.of(requireAccount(ctx).id).overview();
    const stock = [
      ['Listed', listings.available],
      ['Sold', listings.sold],
      ['Delisted', listings.delisted],
      ['Leads', leads],
    ] as const;
    return {
      title: 'Overview',
      main: html`<ul class="stats">${stock.map(([name, value]) => html`<li><b>${number(value)}</b> ${name}</li>`)}</ul>
<p>${count(dealers, 'dealer')}, ${count(feeds, 'feed')}.</p>`,
    };
  },
});
