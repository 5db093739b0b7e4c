import { html } from 'hono/html';
import { isProOrAbove } from '../../accounts/access.ts';
import { hiddenFields } from '../../dashboard/parts/form.ts';
import { table } from '../../dashboard/parts/table.ts';
import { badge, count, moment } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { page } from '../../http/pages/page.ts';
import { findIssues } from '../../issues/issues.ts';
import { compareListing } from '../../market/comparables.ts';
import { Unavailable } from '../../outside/faults.ts';
import { decodeNeighbours } from '../../pipeline/enrich.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import type { Warning } from '../../truck/listing/warn.ts';
import { checkVin } from '../../truck/vin/vin-contradictions.ts';
import type { ListingAnswer, ListingEvent, ListingWithHistory } from '../read-by-vin.ts';
import { readListingWithHistory } from '../read-listing.ts';
import { VinParams } from '../schemas.ts';
import { issueNotes } from './by-number.ts';
import { factTable } from './facts.ts';
import { markActions, markButtons, markNotices } from './mark.ts';
import { marketView } from './market-view.ts';
import { namePart, showPrice, showStatus } from './truck-table.ts';

/** One truck: what is wrong or missing, what is known of it and from where, and where its price stands. */
export default page({
  params: VinParams,
  async show({ ctx, params }) {
    const truck = await readListingWithHistory(ctx, params.vin).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    if (truck instanceof ApiError) {
      const issues = await findIssues(ctx, [params.vin]);
      if (issues.length === 0) throw truck;
      return { title: 'Rejected', status: 404, main: issueNotes(issues) };
    }
    const market = isProOrAbove(requireAccount(ctx)) ? await compareIfPossible(ctx, truck) : 'not_in_tier';
    return {
      title: nameTruck(truck),
      main: html`${header(truck)}${verdict(truck, await warnOfVin(ctx, truck))}
<section><h2>Facts</h2>${factTable(truck)}</section>
<section><h2>Photos</h2>${photoTable(truck.images)}</section>
<section><h2>In the market</h2>${marketView(market)}</section>
<section><h2>History</h2>${historyTable(truck)}</section>`,
    };
  },
  notices: markNotices,
  actions: markActions,
});

async function warnOfVin({ ports }: Context, truck: ListingAnswer) {
  const neighbours = await decodeNeighbours([truck], ports.decodeVins);
  const year = new Date(ports.clock.now()).getUTCFullYear();
  return checkVin({ ...truck, images: [] }, year, neighbours);
}

/** The truck's own page does without other sellers' trucks. */
const compareIfPossible = (ctx: Context, truck: ListingAnswer) =>
  compareListing(ctx, truck).catch((error: unknown) => {
    if (error instanceof Unavailable) return 'unavailable' as const;
    throw error;
  });

/** Its photo, price and status, the buttons that change the status, and what people call it by. */
function header(truck: ListingWithHistory) {
  const { vin, images, price, currency, stock_number, dealerName, dealer } = truck;
  const photo = images.flatMap(({ renditions }) => renditions)[0];
  return html`<div class="truck">${photo ? html`<img src="${photo.url}" alt="">` : html`<p class="empty">No photo</p>`}
<div><p><b>${showPrice(price, currency)}</b> ${showStatus(truck)}</p><form method="post" class="actions">${hiddenFields({ vin })}${markButtons('this truck', truck.status)}</form>
<p class="hint"><code>${vin}</code><br>Stock number ${stock_number ?? 'none'}, dealer ${dealerName ?? dealer ?? 'none'}</p></div></div>`;
}

/** What is wrong, with the VINs that may be meant, and what is missing, with the points that it would add. */
function verdict({ quality, images }: ListingAnswer, warnings: readonly Warning[]) {
  const failures = images.filter(({ status }) => status === 'failed').length;
  const missing = quality.parts.flatMap(({ part, points, of }) =>
    points > 0 ? [] : [`${namePart(part)} +${of}`],
  );
  return html`${warnings.map(
    ({ message, suggestions = [] }) =>
      html`<p class="warn">${message}${suggestions.length > 0 && html` It may be ${suggestions.map(({ vin, because }, at) => html`${at > 0 && ', '}<code>${vin}</code> (${because})`)}.`}</p>`,
  )}${failures > 0 && html`<p class="warn">${count(failures, 'photo')} could not be downloaded.</p>`}
<p class="hint">Quality ${quality.score} of 100. ${missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}.`}</p>`;
}

/** Photos in the dealer's order, and why some are not shown. */
function photoTable(photos: ListingAnswer['images']) {
  if (photos.length === 0)
    return html`<p>There are none. Add links to photos in your system: buyers pass over trucks that they cannot see.</p>`;
  const rows = photos.map(({ url, status, reason, renditions: [smallest] }, at) => [
    smallest
      ? html`<img class="thumb" src="${smallest.url}" alt="Photo ${at + 1}" loading="lazy">`
      : `${at + 1}`,
    badge(status, status === 'failed' ? 'bad' : 'plain'),
    reason?.replaceAll('_', ' ') ?? '',
    html`<code>${url}</code>`,
  ]);
  return table('Photos of the truck', ['Photo', 'Status', 'Why', 'From'], rows);
}

const KINDS: Readonly<Record<ListingEvent['kind'], string>> = {
  created: 'Listed',
  changed: 'Changed',
  sold: 'Sold',
  delisted: 'Delisted',
  vanished: 'Missing from the feed’s file, and delisted',
  relisted: 'Listed again',
};

/** What befell the truck, newest first, and who did it. */
function historyTable({ events, currency }: ListingWithHistory) {
  const rows = events.map(({ kind, oldPrice, newPrice, at, ...by }) => {
    const price = showPrice(newPrice, currency);
    const change = oldPrice === newPrice ? '' : `${showPrice(oldPrice, currency)} → ${price}`;
    return [KINDS[kind], kind === 'created' ? price : change, author(by), moment(at)];
  });
  return table('What befell the truck, newest first', ['What', 'Price', 'By', 'When'], rows);
}

function author({ actor, feedId, runId }: Pick<ListingEvent, 'actor' | 'feedId' | 'runId'>) {
  if (actor !== null) return actor === 'operator' ? 'the operator' : actor;
  if (feedId === null || runId === null) return 'API, upload or a removed feed';
  return html`<a href="/dashboard/feeds/${feedId}/runs/${runId}">${feedId === 'upload' ? 'an upload' : 'a feed’s run'}</a>`;
}
