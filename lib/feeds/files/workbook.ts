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
/** Formats of dates that every workbook has. */
const DATES = ['14', '15', '16', '17', '18', '19', '20', '21', '22'];

/** The first sheet of an Excel workbook. Each part is inflated, counted and read as it comes, and none is held whole. */
export async function readWorkbook({ members, read }: Archive): Promise<ReadRows> {
  /** Elements of a part that are called so, in one that is called so. */
  async function* readPart(name: string, outer: string, inner: string): AsyncGenerator<XmlElement[]> {
    const part = members.find(({ fileName }) => `/${fileName}`.toLowerCase().endsWith(name.toLowerCase()));
    if (part === undefined) return;
    const { pieces } = await decodeText(read(part, MAX_BYTES));
    yield* readElements(pieces, (path) => path.at(-2) === outer && path.at(-1) === inner);
  }
  async function list<Item>(
    part: Parameters<typeof readPart>,
    toItem: (fields: XmlElement['fields']) => Item,
  ): Promise<Item[]> {
    const items: Item[] = [];
    for await (const some of readPart(...part))
      for (const { fields } of some.slice(0, MAX_LISTED - items.length)) items.push(toItem(fields));
    return items;
  }
  const book = '/xl/workbook.xml';
  const [date1904] = await list([book, 'workbook', 'workbookPr'], (fields) => fields.date1904);
  const [sheetId] = await list([book, 'sheets', 'sheet'], (fields) => fields.id);
  const relations = await list(
    ['/xl/_rels/workbook.xml.rels', 'Relationships', 'Relationship'],
    (fields) => fields,
  );
  const target = String(relations.find(({ Id }) => Id === sheetId)?.Target ?? '');
  const strings = await list(['/sharedStrings.xml', 'sst', 'si'], readText);
  const formats = await list(['/xl/styles.xml', 'numFmts', 'numFmt'], (fields) => fields);
  const own = formats.filter(({ formatCode }) => isDateFormat(formatCode)).map(({ numFmtId }) => numFmtId);
  const dates = new Set<unknown>([...DATES, ...own]);
  const dateStyles = await list(['/xl/styles.xml', 'cellXfs', 'xf'], ({ numFmtId }) => dates.has(numFmtId));
  async function* records(): AsyncGenerator<Cells[]> {
    let line = 0;
    for await (const rows of readPart(`/${target.replace(/^\//, '')}`, 'sheetData', 'row'))
      yield rows.map((row) => {
        const cells = toCells(row, line, {
          strings,
          dateStyles,
          from1904: /^(?:1|true)$/.test(String(date1904)),
        });
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
