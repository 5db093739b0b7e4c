import type { QueryNumbers } from './query-numbers.ts';

/** What a query can name, by the names of the search's parameters. */
export interface QueryFilters extends QueryNumbers {
  make?: string[] | undefined;
  model?: string[] | undefined;
  fuel_type?: string[] | undefined;
  condition?: string[] | undefined;
  state?: string[] | undefined;
  body_type?: string[] | undefined;
  transmission?: string[] | undefined;
  drivetrain?: string[] | undefined;
  cab?: string[] | undefined;
  rear_wheels?: string[] | undefined;
  currency?: string[] | undefined;
  /** A make that other listings name as their engine's: it finds both. */
  maker?: string[] | undefined;
}

/** What is filtered already; of makes and models by which. */
export type Asked = { readonly [Filter in keyof QueryFilters]?: unknown } & {
  readonly price?: unknown;
  readonly mileage?: unknown;
};
