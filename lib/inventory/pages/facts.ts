import { html } from 'hono/html';
import { table } from '../../dashboard/parts/table.ts';
import { number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { toBodyName } from '../../truck/card/card-words.ts';
import { translateValue } from '../../truck/card/spec-words.ts';
import type { Origin } from '../../truck/origins.ts';
import { entryFor, FIELD_NAMES, type FieldName, labelFor } from '../../truck/record/record.ts';
import { capitalize, cut } from '../../truck/text/text.ts';
import type { ListingAnswer } from '../read-by-vin.ts';
import { showPrice } from './truck-table.ts';

/** Longest text of a value. */
const MAX_TEXT = 600;

const FROM: Readonly<Record<Origin, string>> = {
  record: 'your record',
  vin: 'the VIN',
  dealer: 'where the dealer is',
  gazetteer: 'our list of places',
  geocoder: 'the geocoder',
};

/** Every value that is stored, in the words of people, and where it comes from. */
export function factTable(listing: ListingAnswer): Html {
  const { derived, origins, attributes, currency, location } = listing;
  const place = [location?.city, location?.state, location?.zip].filter(Boolean).join(', ');
  const fields = FIELD_NAMES.flatMap((name) => {
    if (listing[name] === null) return [];
    const origin = origins[name] ?? 'record';
    const from = origin === 'record' && derived.includes(name) ? 'worked out from your record' : FROM[origin];
    return [[labelFor(name), showField(name, listing[name], currency), from]];
  });
  const attributeRows = Object.entries(attributes).map(([name, value]) => [
    labelFor(name),
    toText(value),
    'your record, word for word',
  ]);
  return html`<p class="hint">To change a fact, change it in your system or upload a file with the truck. Fields that we do not know are kept word for word.</p>${table(
    'Facts of the truck',
    ['Field', 'Stored', 'From'],
    [...(place ? [['Location', place, FROM[origins.city ?? 'record']]] : []), ...fields, ...attributeRows],
  )}`;
}

/** With its unit, and in words where the store has a name of its own. */
function showField(name: FieldName, value: unknown, currency: string | null = null): string {
  if (name === 'class' || name === 'body_type') return capitalize(toBodyName(String(value), 'en'));
  if (typeof value !== 'number') return translateValue(toText(value), 'en') ?? '';
  const { unit } = entryFor(name);
  if (unit === 'usd') return showPrice(value, currency);
  return unit === undefined ? String(value) : `${number(value)} ${unit}`;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return cut(value.join(', '), MAX_TEXT);
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value), MAX_TEXT);
}
