import * as z from 'zod/mini';

/** Which field each column of a file is, as the table of a form says it: both lists go line by line. */
const Texts = z.optional(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(500)));
export const ColumnFields = { columns: Texts, targets: Texts };

/** What is chosen for a column that is read as guessed, and for one that is left out. */
export const GUESSED = 'guess';
export const LEFT_OUT = 'none';

interface Given {
  columns?: readonly string[] | undefined;
  targets?: readonly string[] | undefined;
}

/** The columns that are not read as guessed, with their field; null for one that is left out. */
export const chosenColumns = ({ columns = [], targets = [] }: Given): Record<string, string | null> =>
  Object.fromEntries(
    columns.flatMap((column, at) => {
      const target = targets[at] ?? GUESSED;
      return target === GUESSED ? [] : [[column, target === LEFT_OUT ? null : target]];
    }),
  );
