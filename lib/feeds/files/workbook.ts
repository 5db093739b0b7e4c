import { FeedFault } from '../feed-faults.ts';
import { decodeText } from './decode.ts';
import type { ReadRows } from './rows.ts';
import { MAX_LISTED, sheetReader, stylesReader, textReader } from './sheet.ts';
import { type Cells, readHeader, tableRows } from './table.ts';
import type { Archive } from './unpack.ts';
import { readXml, type XmlReader } from './xml.ts';

/** Of each part: a sheet of some 50,000 trucks. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The first sheet of an Excel workbook. Each part is inflated, counted and read as it comes, and none is held whole. */
export async function readWorkbook({ members, read }: Archive): Promise<ReadRows> {
  async function* readPart(name: string, reader: XmlReader): AsyncGenerator<undefined> {
    const part = members.find(({ fileName }) => `/${fileName}`.toLowerCase().endsWith(name.toLowerCase()));
    if (part) yield* readXml((await decodeText(read(part, MAX_BYTES))).pieces, reader);
  }
  const readWhole = async (name: string, reader: XmlReader) => {
    for await (const _ of readPart(name, reader));
  };
  let [from1904, sheetId, target] = [false, '', ''];
  await readWhole('/xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name === 'sheet')
        sheetId ||= Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? '';
    },
  });
  await readWhole('/xl/_rels/workbook.xml.rels', {
    open(_, { Id, Target = '' }) {
      if (Id === sheetId) target = Target;
    },
  });
  const strings: string[] = [];
  const addString = (text: string) => {
    if (strings.length < MAX_LISTED) strings.push(text);
  };
  await readWhole('/sharedStrings.xml', textReader('si', addString));
  const dateStyles: boolean[] = [];
  await readWhole('/xl/styles.xml', stylesReader(dateStyles));
  async function* records() {
    const rows: Cells[] = [];
    const reader = sheetReader(rows, { strings, dateStyles, from1904 });
    for await (const _ of readPart(`/${target.replace(/^\//, '')}`, reader))
      if (rows.length > 0) yield rows.splice(0);
  }
  for await (const first of records()) {
    const header = readHeader(first);
    return { format: 'xlsx', columns: header.columns, rows: tableRows(records(), header) };
  }
  throw new FeedFault(
    'format_unreadable',
    'The office document is no workbook with rows in its first sheet.',
  );
}
