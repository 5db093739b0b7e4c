import { html } from 'hono/html';
import { button } from '../../dashboard/parts/form.ts';
import { table } from '../../dashboard/parts/table.ts';
import { badge, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import type { ListingStatus } from '../../truck/fields.ts';
import { labelFor } from '../../truck/record/record.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import { toTable } from '../../truck/text/table.ts';

export interface Photo {
  url: string;
  status: string;
  reason: string | null;
  renditions: { width: number; url: string }[];
}

/** Of a listing, what the list shows. */
export interface TruckSummary {
  vin: string;
  year: number | null;
  make: string | null;
  model: string | null;
  stock_number: string | null;
  price: number | null;
  currency: string | null;
  mileage: number | null;
  status: ListingStatus;
  quality: { score: number; missing: string[] };
  images: Photo[];
}

export const showPrice = (price: number | null, currency: string | null = null) =>
  price === null ? 'no price' : formatPrice(price, currency);

export const statusBadge = (status: ListingStatus) =>
  badge(status, status === 'available' ? 'good' : 'plain');

const STEPS: Readonly<Record<string, string>> = toTable({ images: 'Photos', more_images: 'More photos' });
/** A part of the quality, as people say it. */
export const namePart = (part: string) => STEPS[part] ?? labelFor(part);

const COLUMNS = [
  'Truck',
  'Photo',
  { label: 'Price', isNumber: true as const },
  { label: 'Miles', isNumber: true as const },
  'Status',
  'Quality',
];

/** Trucks to be opened. */
export const truckTable = (trucks: readonly TruckSummary[]): Html =>
  table(
    'Trucks',
    COLUMNS,
    trucks.map((truck) => toRow(truck, '')),
  );

/** The same to be selected and marked; the buttons stay in sight. */
export function selectableTrucks(trucks: readonly TruckSummary[]): Html {
  const rows = trucks.map((truck) =>
    toRow(
      truck,
      html`<input type="checkbox" name="vin" value="${truck.vin}" aria-label="Select ${nameTruck(truck)}, ${truck.vin}"> `,
    ),
  );
  return html`<form method="post" data-count="vin">${table('Trucks', COLUMNS, rows)}
<p class="actions bulk"><output>Select trucks to mark them.</output>${button('sold', 'Mark sold', { confirm: 'Mark # sold?' })}${button('delisted', 'Delist', { confirm: 'Take # off the list?' })}${button('available', 'Mark available')}</p></form>`;
}

function toRow(truck: TruckSummary, box: Html | string) {
  const { vin, stock_number, price, currency, mileage, status, quality } = truck;
  const name = nameTruck(truck);
  return [
    html`${box}<a href="/dashboard/inventory/${encodeURIComponent(vin)}">${name}</a>
<br><small><code>${vin}</code>${stock_number === null ? '' : ` stock ${stock_number}`}</small>`,
    thumbnail(truck.images),
    showPrice(price, currency),
    mileage === null ? '' : number(mileage),
    statusBadge(status),
    html`${quality.score}${quality.missing[0] === undefined ? '' : html` <small>missing: ${namePart(quality.missing[0])}</small>`}`,
  ];
}

function thumbnail(photos: readonly Photo[]): Html {
  const stored = photos.find(({ renditions }) => renditions.length > 0)?.renditions[0];
  if (stored) return html`<img class="thumb" src="${stored.url}" alt="" loading="lazy">`;
  if (photos.some(({ status }) => status === 'pending')) return badge('being fetched');
  return badge(photos.length === 0 ? 'no photo' : 'photos failed', 'warn');
}
