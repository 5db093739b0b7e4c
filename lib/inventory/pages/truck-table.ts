import { html } from 'hono/html';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { badge, moment, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import type { Quality } from '../../truck/listing/truck.ts';
import { labelFor } from '../../truck/record/record.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import type { ListingAnswer } from '../read-by-vin.ts';
import { markButtons } from './mark.ts';

/** Of a listing, what the list shows. */
export type TruckSummary = Pick<
  ListingAnswer,
  'vin' | 'year' | 'make' | 'model' | 'stock_number' | 'price' | 'currency' | 'mileage' | 'status' | 'images'
> &
  StatusTimes & { quality: Quality };

type StatusTimes = Partial<Pick<ListingAnswer, 'sold_at' | 'delisted_at'>>;

export const showPrice = (price: number | null, currency: string | null = null) =>
  price === null ? 'no price' : formatPrice(price, currency);

/** The status, and since when a truck is sold or delisted. */
export function showStatus({
  status,
  sold_at,
  delisted_at,
}: Pick<ListingAnswer, 'status'> & StatusTimes): Html {
  const time = status === 'sold' ? sold_at : status === 'delisted' ? delisted_at : null;
  return html`${badge(status, status === 'available' ? 'good' : 'plain')}${time && html` <small>${moment(time)}</small>`}`;
}

/** A part of the quality, as people say it. */
export const namePart = (part: string) => labelFor(part.replace('images', 'photos'));

const COLUMNS = ['Truck', 'Photo', numeric('Price'), numeric('Miles'), 'Status', 'Quality'];

/** Trucks to be opened, and where a person may, to be selected and marked; the buttons stay in sight. */
export function truckTable(trucks: readonly TruckSummary[], maySelect = false): Html {
  const rows = trucks.map((truck) => {
    const { vin, stock_number, price, currency, mileage, quality } = truck;
    const name = nameTruck(truck);
    const [missing] = quality.missing;
    return [
      html`${maySelect && html`<label class="choice"><input type="checkbox" name="vin" value="${vin}" aria-label="Select ${name}, ${vin}"></label> `}<a href="/dashboard/inventory/${encodeURIComponent(vin)}">${name}</a>
<br><small><code>${vin}</code>${stock_number !== null && ` stock ${stock_number}`}</small>`,
      thumbnail(truck.images),
      showPrice(price, currency),
      mileage === null ? '' : number(mileage),
      showStatus(truck),
      html`${quality.score}${missing !== undefined && html` <small>missing: ${namePart(missing)}</small>`}`,
    ];
  });
  if (!maySelect) return table('Trucks', COLUMNS, rows);
  return html`<form method="post" data-count="vin">${table('Trucks', COLUMNS, rows)}
<p class="actions bulk"><output>Select trucks to mark them.</output>${markButtons('#')}</p></form>`;
}

function thumbnail(photos: TruckSummary['images']): Html {
  const smallest = photos.flatMap(({ renditions }) => renditions)[0];
  if (smallest) return html`<img class="thumb" src="${smallest.url}" alt="" loading="lazy">`;
  return badge(photos.length === 0 ? 'no photo' : 'not fetched', 'warn');
}
