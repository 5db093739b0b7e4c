import { addFormulaGuard } from '../truck/text/formula-guard.ts';

export const CSV = 'text/csv; charset=utf-8';

/** An answer that is saved as a file of this name. */
export const answerCsv = <Body>(filename: string, body: Body, extraHeaders?: Record<string, string>) => ({
  status: 200,
  body,
  headers: {
    'Content-Type': CSV,
    'Content-Disposition': `attachment; filename="${filename}"`,
    ...extraHeaders,
  },
});

/**
 * What turns rows into CSV text for spreadsheets: a text that one would take for a formula stands behind an apostrophe,
 * because the values are strangers'. Files that are sent to us are read without it.
 */
export async function safeCsv(): Promise<(rows: readonly (readonly (string | number | null)[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  return (rows) => stringify([...rows], { cast: { string: addFormulaGuard }, record_delimiter: 'windows' });
}
