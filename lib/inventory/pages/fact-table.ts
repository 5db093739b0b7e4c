import { html } from 'hono/html';
import { table } from '../../dashboard/parts/table.ts';
import { number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { toBodyName } from '../../truck/card/card-words.ts';
import { translateValue } from '../../truck/card/spec-words.ts';
import type { ListingDoc } from '../../truck/listing/truck.ts';
import type { Origin } from '../../truck/origins.ts';
import { entryFor, FIELD_NAMES, type FieldName, labelFor } from '../../truck/record/record.ts';
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

type Facts = Pick<ListingDoc, FieldName | 'derived' | 'attributes'> & {
  origins: Partial<Record<string, Origin>>;
};

/** Every value that is stored, in the words of people, and where it comes from. */
export function factTable({ derived, origins, attributes, ...found }: Facts): Html {
  const known = FIELD_NAMES.flatMap((name) => {
    if (found[name] === null) return [];
    const origin = origins[name] ?? 'record';
    const from = origin === 'record' && derived.includes(name) ? 'worked out from your record' : FROM[origin];
    return [[labelFor(name), showField(name, found[name], found.currency), from]];
  });
  const unknown = Object.entries(attributes).map(([name, value]) => [
    labelFor(name),
    toText(value),
    'your record, word for word',
  ]);
  return html`<p class="hint">As we store them: “52,350 lbs” is read as 52,350 lb, and “Day Cab” as the body of that name. Fields that we do not know are kept word for word.</p>${table(
    'Facts of the truck',
    ['Field', 'Stored', 'From'],
    [...known, ...unknown],
  )}`;
}

/** With its unit, and in words where the store has a name of its own. */
export function showField(name: FieldName, value: unknown, currency: string | null = null): string {
  if (name === 'class' || name === 'body_type') return showName(String(value));
  if (typeof value !== 'number') return translateValue(toText(value), 'en') ?? '';
  const { unit } = entryFor(name);
  if (unit === 'usd') return showPrice(value, currency);
  if (unit === undefined) return String(value);
  return `${number(value)} ${unit}`;
}

/** `class_8` → Class 8, `sleeper_tractor` → Sleeper tractor. */
export const showName = (name: string): string => capital(toBodyName(name, 'en'));

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function toText(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
