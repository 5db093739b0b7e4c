type Bounds<Name extends string> = `${Name}_${'min' | 'max'}`;
type NumberFilter = 'year' | Bounds<'year' | 'price' | 'mileage'>;
type TextFilter =
  | 'class'
  | 'make'
  | 'model'
  | 'fuel_type'
  | 'condition'
  | 'state'
  | 'body_type'
  | 'transmission'
  | 'drivetrain'
  | 'cab'
  | 'rear_wheels'
  | 'currency';

/** What a query can name, by the names of the search's parameters. */
export type QueryFilters = { [Name in NumberFilter]?: number[] | undefined } & {
  [Name in TextFilter]?: string[] | undefined;
};

/** What is filtered already; of makes and models by which. */
export type Asked = { readonly [Name in NumberFilter | TextFilter | 'price' | 'mileage']?: unknown };
