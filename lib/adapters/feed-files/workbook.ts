import type { ZipFile } from 'yauzl';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FileLimits } from './limits.ts';
import { readMember } from './zip-member.ts';

/**
 * The first sheet of an Excel workbook as the text of a CSV file: what reads tables then reads it, with all its limits
 * and positions. The library inflates whatever it is given, so every part is inflated here first and counted.
 */

/** All parts of a workbook together: a sheet of some 50,000 trucks. What a cell costs in memory ends the worker. */
const MAX_BYTES = 64 * 1024 * 1024;

export async function workbookBytes(
  path: string,
  opened: () => Promise<ZipFile>,
  limits: FileLimits,
): Promise<Buffer> {
  await checkParts(opened, { ...limits, maxBytes: Math.min(limits.maxBytes, MAX_BYTES) });
  const { readSheet } = await import('read-excel-file/node');
  const rows = await readSheet(path).catch((error: unknown) => {
    throw new FeedFault('file_damaged', 'The workbook cannot be read.', { cause: error });
  });
  return Buffer.from(rows.map((row) => `${row.map(toCell).join(',')}\n`).join(''));
}

async function checkParts(opened: () => Promise<ZipFile>, limits: FileLimits): Promise<void> {
  const archive = await opened();
  let left = limits.maxBytes;
  let isWorkbook = false;
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName === 'xl/workbook.xml') isWorkbook = true;
      for await (const piece of readMember(opened, entry, limits)) {
        left -= piece.length;
        if (left < 0) throw tooLarge(limits);
      }
    }
  } finally {
    archive.close();
  }
  if (!isWorkbook) throw new FeedFault('format_unknown', 'The file is an office document, but no workbook.');
}

const tooLarge = ({ maxBytes }: FileLimits) =>
  new FeedFault(
    'too_large',
    `The workbook has more than ${maxBytes} bytes decompressed: save its sheet as CSV.`,
  );

/** As RFC 4180 has it; a date as ISO 8601. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = value instanceof Date ? toDate(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const toDate = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10));
