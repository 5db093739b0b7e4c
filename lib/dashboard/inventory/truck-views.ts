import { html } from 'hono/html';
import { labelFor } from '../../contract/record/record.ts';
import type { ExplainedQuality, ListingDoc } from '../../domain/listing/truck.ts';
import { toTable } from '../../domain/text/table.ts';
import { vinWarnings } from '../../domain/vin/vin-contradictions.ts';
import type { Html } from '../../http/pages/page.ts';
import { facts, table } from '../parts/table.ts';
import { badge } from '../parts/text.ts';
import { namePart, type Photo } from './truck-table.ts';

/** The quality, and what would raise it the most. */
export function nextSteps({ score, parts }: ExplainedQuality): Html {
  const absent = parts.filter(({ points }) => points === 0).toSorted((a, b) => b.of - a.of);
  return html`<section><h2>Quality ${score} of 100</h2>${
    absent.length === 0
      ? html`<p>Nothing is missing.</p>`
      : table(
          'What would raise the quality',
          [{ label: 'Add' }, { label: 'Points', isNumber: true }, { label: 'Why' }],
          absent.map(({ part, of, why }) => [namePart(part), `+${of}`, why ?? '']),
        )
  }</section>`;
}

/** What the VIN itself says, and where the listing says otherwise. */
export function vinView(listing: Omit<ListingDoc, 'images'>, currentYear: number): Html {
  const { vin_facts: said } = listing;
  const { vehicle_type } = said;
  const decoded =
    vehicle_type === null
      ? null
      : {
          ...said,
          vehicle_type,
          years_possible: said.model_years,
          check_digit_valid: said.check_digit === 'valid',
        };
  const others = { neighbours: new Map(), sameStock: null };
  const warnings = vinWarnings({ ...listing, images: [] }, decoded, { currentYear, ...others });
  const known = Object.entries(said).flatMap(([name, value]) =>
    value === null || value.length === 0
      ? []
      : [[labelFor(name), Array.isArray(value) ? value.join(' or ') : String(value)] as const],
  );
  return html`<section><h2>What the VIN says</h2>
${warnings.map(({ message }) => html`<p class="warn">${message}</p>`)}${facts(known)}</section>`;
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'plain'>> = toTable({ stored: 'good', failed: 'bad' });

/** Photos in the dealer's order, and why some are not shown. */
export function photoTable(photos: readonly Photo[]): Html {
  const rows = photos.map(({ url, status, reason, renditions }, at) => [
    renditions[0]
      ? html`<img class="thumb" src="${renditions[0].url}" alt="Photo ${at + 1}" loading="lazy">`
      : `${at + 1}`,
    badge(status === 'stored' ? 'shown' : status, TONES[status] ?? 'plain'),
    reason?.replaceAll('_', ' ') ?? '',
    html`<code>${url}</code>`,
  ]);
  return html`<section><h2>Photos</h2>${
    rows.length === 0
      ? html`<p>There are none. Add links to photos in your system: buyers pass over trucks that they cannot see.</p>`
      : table(
          'Photos of the truck',
          [{ label: 'Photo' }, { label: 'State' }, { label: 'Why' }, { label: 'From' }],
          rows,
        )
  }</section>`;
}
