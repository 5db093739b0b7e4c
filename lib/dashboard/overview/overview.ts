import { html } from 'hono/html';
import { readAttention } from '../../accounts/overview.ts';
import { requireAccount } from '../../http/context.ts';
import { page } from '../../http/pages/page.ts';
import { empty, moment, number } from '../parts/text.ts';
import { findTasks } from './attention.ts';

/** What needs the seller today. */
export default page({
  notices: { kept: 'The account is kept: its keys, pages and widget work again.' },
  async show({ ctx }) {
    const attention = await readAttention(ctx.ports.db, requireAccount(ctx).id);
    const { available, sold, delisted } = attention.listings;
    const tasks = findTasks(attention).map(
      ({ tone, what, why, deadline, path }) =>
        html`<li class="${tone}"><div><strong>${what}</strong><p>${why} ${deadline && moment(deadline)}</p></div><a class="button" href="${path}">Open</a></li>`,
    );
    if (available + sold + delisted === 0 && tasks.length === 0)
      return { title: 'Overview', main: firstSteps() };
    const stock = [
      ['Available', available, 'inventory'],
      ['Sold', sold, 'inventory?status=sold'],
      ['Delisted', delisted, 'inventory?status=delisted'],
      ['Rejected', attention.not_listed, 'issues'],
    ] as const;
    return {
      title: 'Overview',
      main: html`<ul class="stats">${stock.map(([name, value, path]) => html`<li><a href="/dashboard/${path}">${name} <b>${number(value)}</b></a></li>`)}</ul>
<h2>What needs you</h2>${tasks.length === 0 ? empty('Nothing', 'Every lead is answered, every feed runs, and every truck is listed.') : html`<ul class="tasks">${tasks}</ul>`}`,
    };
  },
});

const firstSteps = () =>
  empty(
    'No trucks yet',
    html`<a class="button primary" href="/dashboard/upload">Upload a file of your stock</a></p><p>Or <a href="/dashboard/feeds/new">add a feed</a>, or let an owner <a href="/dashboard/settings/keys">create a key</a> for your system.`,
  );
