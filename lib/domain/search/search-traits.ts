/**
 * What the orders of search walk by, as SQL over a row of `listing_search`: a listing's traits packed into one integer,
 * a few bits each, so that an index over a whole account stays narrow. Bits tell what cannot match; whatever they let
 * through is judged by the columns themselves.
 */

/** Account and status as one number; `account` and `status` are SQL expressions. Equal for two pairs once in 2⁶⁴. */
export const shelfOf = (account: string, status: string) =>
  `hashtextextended(${account} || ' ' || ${status}, 0)`;

/** Cells are this fraction of a degree wide and high: a circle's cells are not much larger than the circle. */
const CELLS_A_DEGREE = 2;
const CELLS_AROUND = 360 * CELLS_A_DEGREE;

/** The row of cells at a latitude, or the column at a longitude. */
export const cellLine = (degrees: number): number => Math.floor(degrees * CELLS_A_DEGREE);
export const cellAt = (row: number, column: number): number => row * CELLS_AROUND + column;

/** The cell a listing stands in; null without coordinates. */
export const SEARCH_CELL = `(floor(latitude * ${CELLS_A_DEGREE}) * ${CELLS_AROUND} + floor(longitude * ${CELLS_A_DEGREE}))::int`;

/** Conditions by number; anything else is the last. */
export const LOT_CONDITIONS = ['', 'new', 'used'] as const;
export const GRADE_BITS = 2;
const YEARS_OF_LOT = { from: 1_975, step: 3, last: 63 };

/** The make of a lot; `make` is an SQL expression. */
export const lotMake = (make: string) => `(hashtext(${make}) >> 8 & 65535)`;

/** The years of a lot. */
export function lotYears(year: number): number {
  const { from, step, last } = YEARS_OF_LOT;
  return Math.max(0, Math.min(last, Math.trunc((year - from) / step)));
}
export const LAST_LOT_YEARS = YEARS_OF_LOT.last;

/** Prices are told apart in the indexes by steps of this many dollars. */
export const PRICE_STEP = 5_000;

/** A text by its hash, a number by its step (0 for none, then ascending to the last), or an expression of its own. */
type Code = 'hash' | { from: number; step: number } | { of: (value: string) => string };

interface Trait {
  column: string;
  bits: number;
  code: Code;
  /** Told apart whole: two values with the same number are the same. */
  exact: boolean;
}

const hashed = (column: string, bits: number) => ({ column, bits, code: 'hash', exact: false }) as const;
const conditionOf = (value: string) =>
  `case coalesce(${value}, '') ${LOT_CONDITIONS.map((name, at) => `when '${name}' then ${at}`).join(' ')} else 3 end`;

export const TRAITS = {
  model: hashed('model', 11),
  class: {
    ...{ column: 'truck_class', bits: 3, exact: true },
    code: { of: (value: string) => `coalesce(ascii(right(${value}, 1)) - 50, 0) & 7` },
  },
  body_type: hashed('body_type', 7),
  condition: { column: 'condition', bits: 2, exact: true, code: { of: conditionOf } },
  fuel_type: hashed('fuel_type', 4),
  state: hashed('state', 6),
  dealer: hashed('dealer', 6),
  has_images: {
    column: 'has_images',
    bits: 1,
    exact: true,
    code: { of: (value: string) => `(${value})::int` },
  },
  quality: { column: 'quality', bits: 7, exact: true, code: { from: 0, step: 1 } },
  year: { column: 'model_year', bits: 7, exact: true, code: { from: 1_980, step: 1 } },
  price: { column: 'price', bits: 5, exact: false, code: { from: 0, step: 8_000 } },
  mileage: { column: 'mileage', bits: 4, exact: false, code: { from: 0, step: 60_000 } },
} as const satisfies Record<string, Trait>;
export type TraitName = keyof typeof TRAITS;

/** Where a trait's bits begin and what they can hold. */
export function bitsOf(name: TraitName): { shift: number; most: number } {
  let shift = 0;
  for (const [other, { bits }] of Object.entries(TRAITS)) {
    if (other === name) break;
    shift += bits;
  }
  return { shift, most: 2 ** TRAITS[name].bits - 1 };
}

/** A trait's number of a value, an SQL expression of the column's type. */
export function traitCode(name: TraitName, value: string): string {
  const { code } = TRAITS[name];
  const { most } = bitsOf(name);
  if (code === 'hash') return `(hashtext(coalesce(${value}, '')) >> 18 & ${most})`;
  if ('of' in code) return `(${code.of(value)})`;
  const { from, step } = code;
  return `coalesce(1 + greatest(0, least(${most - 1}, (${value} - ${from}) / ${step})), 0)`;
}

/** All traits of a row, of type bigint. */
export const SEARCH_TRAITS = (Object.keys(TRAITS) as TraitName[])
  .map((name) => `(${traitCode(name, TRAITS[name].column)}::bigint << ${bitsOf(name).shift})`)
  .join(' | ');

/**
 * Make, three model years and condition of a listing as one number: with these its price and mileage hang together. The
 * make's 16 bits, then 6 of `lotYears`, then 2 of LOT_CONDITIONS.
 */
export const SEARCH_LOT = `${lotMake('make')} * 256
  + greatest(0, least(${YEARS_OF_LOT.last}, (model_year - ${YEARS_OF_LOT.from}) / ${YEARS_OF_LOT.step})) * 4
  + ${conditionOf('condition')}`;

/**
 * Price and condition of a listing as one number: its model year hangs together with them. The price's number without its
 * last GRADE_BITS, then 2 bits of LOT_CONDITIONS.
 */
export const SEARCH_GRADE = `((${traitCode('price', 'price')} >> ${GRADE_BITS}) * 4 + ${conditionOf('condition')})::smallint`;
