import { FeedFault } from '../feed-faults.ts';
import { decodeText } from './decode.ts';
import type { ReadRows } from './rows.ts';
import { isDateFormat, readText, toCells } from './sheet.ts';
import { type Cells, readHeader, tableRows } from './table.ts';
import type { Archive } from './unpack.ts';
import { readElements, type XmlElement } from './xml.ts';

/** Of each part: a sheet of some 50,000 trucks. */
const MAX_BYTES = 64 * 1024 * 1024;
/** So many texts or styles take no list that is allotted in too large a piece. */
const MAX_LISTED = 1_000_000;

/** The first sheet of an Excel workbook. Each part is inflated, counted and read as it comes, and none is held whole. */
export async function readWorkbook({ members, read }: Archive): Promise<ReadRows> {
  /** Elements of a part that are called so, in one that is called so. */
  async function* readPart(name: string, outer: string, inner: string): AsyncGenerator<XmlElement[]> {
    const part = members.find(({ fileName }) => `/${fileName}`.toLowerCase().endsWith(name.toLowerCase()));
    if (part === undefined) return;
    const { pieces } = await decodeText(read(part, MAX_BYTES));
    yield* readElements(pieces, (path) => path.at(-2) === outer && path.at(-1) === inner);
  }
  async function listFields(...part: Parameters<typeof readPart>) {
    const fields: XmlElement['fields'][] = [];
    for await (const some of readPart(...part))
      for (const element of some.slice(0, MAX_LISTED - fields.length)) fields.push(element.fields);
    return fields;
  }
  const [properties] = await listFields('/xl/workbook.xml', 'workbook', 'workbookPr');
  const [sheet] = await listFields('/xl/workbook.xml', 'sheets', 'sheet');
  const relations = await listFields('/xl/_rels/workbook.xml.rels', 'Relationships', 'Relationship');
  const target = String(relations.find(({ Id }) => Id === sheet?.id)?.Target ?? '');
  const formats = await listFields('/xl/styles.xml', 'numFmts', 'numFmt');
  const dates = new Set(
    formats.filter(({ formatCode }) => isDateFormat(formatCode)).map(({ numFmtId }) => numFmtId),
  );
  const styles = await listFields('/xl/styles.xml', 'cellXfs', 'xf');
  const book = {
    strings: (await listFields('/sharedStrings.xml', 'sst', 'si')).map(readText),
    // Some formats of dates every workbook has.
    dateStyles: styles.map(({ numFmtId: id }) => dates.has(id) || (Number(id) >= 14 && Number(id) <= 22)),
    from1904: /^(?:1|true)$/.test(String(properties?.date1904)),
  };
  async function* records(): AsyncGenerator<Cells[]> {
    let line = 0;
    for await (const rows of readPart(`/${target.replace(/^\//, '')}`, 'sheetData', 'row'))
      yield rows.map((row) => {
        const cells = toCells(row, line, book);
        line = cells.line;
        return cells;
      });
  }
  for await (const first of records()) {
    if (first.length === 0) continue;
    const header = readHeader(first);
    return { format: 'xlsx', columns: header.columns, rows: tableRows(records(), header) };
  }
  throw new FeedFault(
    'format_unreadable',
    'The office document is no workbook with rows in its first sheet.',
  );
}
