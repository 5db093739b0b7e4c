import { html } from 'hono/html';
import { table } from '../../dashboard/parts/table.ts';
import { badge, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { translateValue } from '../../truck/card/spec-words.ts';
import type { ListingDoc, VinFacts } from '../../truck/listing/truck.ts';
import type { FieldName } from '../../truck/record/record.ts';
import { mayShareVins } from '../../truck/vin/make-families.ts';
import { vinWarnings } from '../../truck/vin/vin-contradictions.ts';
import { showField, showName } from './fact-table.ts';

type Doc = Omit<ListingDoc, 'images'>;

/** What the VIN itself says beside what is listed, and where the two differ. */
export function vinView(listing: Doc, currentYear: number): Html {
  const rows = listFacts(listing.vin_facts).map(({ label, value, field }) => {
    const listed = field === null ? null : listing[field];
    if (field === null || listed === null) return [label, value, ''];
    const isFilled = listing.derived.includes(field);
    const shown = showField(field, listed);
    return [
      label,
      value,
      isFilled || agree(listing, field, shown, value) ? shown : html`${shown} ${badge('differs', 'warn')}`,
    ];
  });
  return html`<section><h2>What the VIN says</h2>
${warningsFor(listing, currentYear).map(({ message }) => html`<p class="warn">${message}</p>`)}${table(
  'What the VIN says, beside what is listed',
  ['Fact', 'The VIN', 'Listed'],
  rows,
)}</section>`;
}

function warningsFor(listing: Doc, currentYear: number) {
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
  return vinWarnings({ ...listing, images: [] }, decoded, { currentYear, ...others });
}

interface Fact {
  label: string;
  value: string;
  /** The field of the listing that says the same thing. */
  field: FieldName | null;
}

/** In the order in which buyers ask; ids of ours and what says the same twice are left out. */
function listFacts(said: VinFacts): Fact[] {
  const fact = (label: string, value: string | null, field: FieldName | null = null) =>
    value === null || value === '' ? [] : [{ label, value, field }];
  const { gvwr_min: low, gvwr_max: high, displacement_l: liters, horsepower, cylinders } = said;
  const gvwr =
    low === null ? null : high === null ? `from ${number(low)} lb` : `${number(low)} to ${number(high)} lb`;
  return [
    ...fact('Check digit', said.check_digit === 'valid' ? 'right' : 'wrong: a character may be mistyped'),
    ...fact('Model year', said.model_years.join(' or '), 'year'),
    ...fact('Make', said.make, 'make'),
    ...fact('Model', said.model),
    ...fact('Weight class', said.truck_class && showName(said.truck_class), 'class'),
    ...fact('Gross weight', gvwr),
    ...fact('Body', said.body_type && showName(said.body_type), 'body_type'),
    ...fact('Cab', said.cab, 'cab'),
    ...fact('Drive', said.drivetrain, 'drivetrain'),
    ...fact('Engine', said.engine, 'engine'),
    ...fact('Displacement', liters === null ? null : `${liters} L`),
    ...fact('Cylinders', cylinders === null ? null : String(cylinders)),
    ...fact('Power', horsepower === null ? null : `${number(horsepower)} hp`),
    ...fact('Fuel', translateValue(said.fuel_type, 'en'), 'fuel_type'),
    ...fact('Made by', said.manufacturer),
    ...fact('Made in', said.plant_country),
  ];
}

/** A chassis may carry any body, and makes of one maker share VINs. */
function agree({ make, vin_facts: said }: Doc, field: FieldName, listed: string, value: string): boolean {
  if (field === 'make' && make !== null && said.make !== null) return mayShareVins(said.make, make);
  if (field === 'body_type' && said.body_type === 'cab_chassis') return true;
  return saySame(listed, value);
}

/** Liters of an engine stand in a line of their own. */
const LITERS = /\b\d{1,2}(?:\.\d)? ?l\b/g;
const words = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .replace(LITERS, '')
      .match(/[a-z0-9]+/g) ?? [],
  );

/** One says all that the other does, perhaps in other words around it. */
function saySame(one: string, other: string): boolean {
  const [few, many] = [words(one), words(other)].toSorted((a, b) => a.size - b.size);
  return [...(few ?? [])].every((word) => many?.has(word));
}
