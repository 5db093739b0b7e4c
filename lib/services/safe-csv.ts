/**
 * What turns rows into CSV text for spreadsheets: a text that one would take for a formula stands behind an apostrophe,
 * because the values are strangers'.
 */
export async function safeCsv(): Promise<(rows: readonly (readonly (string | number | null)[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  return (rows) => stringify([...rows], { escape_formulas: true, record_delimiter: 'windows' });
}
