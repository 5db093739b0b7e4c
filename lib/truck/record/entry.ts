import type { Locale } from '../card/locale.ts';

/** An entry of the record table, from which everything about a field derives. */
export interface Entry {
  /** The stored value: one line of text, a block of text, a whole number, a list of texts, or a part with its own rules. */
  readonly kind: Kind;
  /** The reader of values (read-field.ts); by default that of the kind. */
  readonly reader?: Reader;
  /** Names accepted in a record, exactly as written; the first non-blank one wins, the first is the canonical one. */
  readonly names: readonly [string, ...string[]];
  /**
   * Further names of columns in dealers' files, the best first, compared by letters and digits only. A name of `names`
   * comes before them unless it is repeated here. `false`: a file's column is never guessed to be this field.
   */
  readonly columns?: readonly string[] | false;
  /** Those of these names that have several meanings: a column is the field only if its values fit. */
  readonly weak?: readonly string[];
  /** The label for people; by default the name in words. */
  readonly label?: string;
  readonly about: string;
  readonly example: unknown;
  /** A record without it is rejected, and null does not clear it. */
  readonly required?: true;
  /** Most characters of a text, or most items of a list. */
  readonly max?: number;
  /** Bounds of a whole number; values outside are left out with a warning. */
  readonly range?: readonly [min: number, max: number];
  /** Unit of a whole number. */
  readonly unit?: Unit;
  /** The VIN fills it in if the record leaves it out. */
  readonly fromVin?: true;
  /** Points of 100 that a listing loses without it. All points together are 100. */
  readonly quality?: number;
  /** Its line among the facts that the widget shows of a truck. */
  readonly spec?: Spec;
  /** A field without it is stored in the document only and is not searchable. */
  readonly search?: SearchEntry;
}

/** The line's name in each language, and its id on the wire where that is not the field's name. */
export type Spec = Readonly<Record<Locale, string>> & { readonly id?: string };

/** How a field is found. Whatever has `values` or `range` is a column of `listing_search`. */
export interface SearchEntry {
  /** The name of its column, if it differs from the field's. */
  readonly column?: string;
  /** Parameter `<field>`: equals one of a list of values. */
  readonly values?: { readonly about: string; readonly example: string };
  /** Parameter `<field>`: the kind that its text names, such as `automatic`, found by the words of the listing. */
  readonly kinds?: { readonly about: string; readonly example: string };
  /** Parameters `<field>_min` and `<field>_max`. */
  readonly range?: {
    /** Completes "Lowest …" and "Highest …". */
    readonly about: string;
    readonly examples: readonly [min: number, max: number];
    /** What the parameters accept; by default 0 to 2,147,483,647. */
    readonly bounds?: readonly [min: number, max: number];
  };
  /** An answer counts the listings found by its values; `bands`: by bands of prices. */
  readonly facet?: true | 'bands';
  /** Its words are found by `q`. */
  readonly text?: true;
}

export type Kind = 'text' | 'block' | 'integer' | 'list' | 'part';
export type Reader =
  | Kind
  | 'year'
  | 'class'
  | 'gvwr'
  | 'body'
  | 'condition'
  | 'url'
  | 'currency'
  | 'distance'
  | 'wheels';
export type Unit = 'lb' | 'usd' | 'mi' | 'hp' | 'in' | 'ft';
