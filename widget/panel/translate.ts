/** A column per language in the source; the build keeps one, in files of its own for each language. */
export type Words = Record<string, readonly [en: string, es: string, fr: string]>;

/** The word with its value put in. */
export type Say<Name> = (word: Name, value?: string | number) => string;

export const translate =
  <Table extends Words>(table: Table): Say<keyof Table> =>
  (word, value = '') =>
    (table[word]?.[0] ?? '').replace('#', `${value}`);
