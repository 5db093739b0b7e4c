import { SaxesParser } from 'saxes';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import { columnField } from '../mapping/columns.ts';
import type { DecodedText } from './decode.ts';
import { faultyRow, TOO_LARGE, toRow } from './rows.ts';
import { readElements, removePrefix, type XmlElement } from './xml.ts';

/** Rows of XML: elements as deep as the first, that have its name or a VIN. What is inside of them are their columns. */
export async function* xmlRows({ head, pieces }: DecodedText): AsyncGenerator<FeedRow[]> {
  const row = findRow(head);
  for await (const some of readElements(pieces, ({ length }) => length === row.depth))
    yield some.filter(({ name, fields }) => name === row.name || hasVin(fields)).map(toXmlRow);
}

const isVin = (name: string) => columnField(removePrefix(name)) === 'vin';

/** The outermost element around the first VIN that is not around the second, by the beginning of a file. */
function findRow(head: string) {
  const parser = new SaxesParser<{ xmlns: false }>();
  const path: { name: string }[] = [];
  const vins: (typeof path)[] = [];
  parser.on('opentag', ({ name, attributes }) => {
    path.push({ name: removePrefix(name) });
    if (vins.length === 2) return;
    if (isVin(name)) vins.push(path.slice(0, -1));
    else if (Object.keys(attributes).some(isVin)) vins.push([...path]);
  });
  parser.on('closetag', () => void path.pop());
  // The rows are read once more, and then it counts.
  parser.on('error', () => undefined);
  parser.write(head);
  const [first = [], second] = vins;
  const index = second ? first.findIndex((element, at) => element !== second[at]) : first.length - 1;
  const row = first.at(index);
  if (!row)
    throw new FeedFault(
      'format_unreadable',
      'The XML has no element or attribute that is called like a VIN.',
    );
  return { name: row.name, depth: first.indexOf(row) + 1 };
}

const hasVin = (fields: object): boolean =>
  Object.entries(fields).some(
    ([name, value]) => isVin(name) || (typeof value === 'object' && value !== null && hasVin(value)),
  );

function toXmlRow({ line, fields, isCut, error }: XmlElement): FeedRow {
  if (isCut) return faultyRow(line, fields, TOO_LARGE);
  const message = `It is no sound XML (${error}).`;
  return error === null ? toRow(fields, line) : { line, fields, fault: { code: 'ROW_UNREADABLE', message } };
}
