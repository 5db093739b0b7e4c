import type { Entry, ZipFile } from 'yauzl';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FileLimits } from './limits.ts';
import { readMember } from './zip-member.ts';

/**
 * The first sheet of an Excel workbook as the text of a CSV file: what reads tables then reads it, with all its limits
 * and positions. The library inflates whatever it finds, so it is given an archive that was made here of the parts that
 * were inflated and counted: what else stands in the dealer's file it never sees.
 */

/** All parts that are read together: a sheet of some 50,000 trucks. What a cell costs in memory ends the worker. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 1_000;
/** The others are pictures and settings of printers. */
const READ = /\.xml(?:\.rels)?$/;

export async function workbookBytes(opened: () => Promise<ZipFile>, limits: FileLimits): Promise<Buffer> {
  const parts = await readParts(opened, { ...limits, maxBytes: Math.min(limits.maxBytes, MAX_BYTES) });
  const { zipSync } = await import('fflate');
  const { readSheet } = await import('read-excel-file/universal');
  const archive = zipSync(Object.fromEntries(parts), { level: 0 });
  parts.clear();
  const rows = await readSheet(archive.buffer).catch((error: unknown) => {
    throw new FeedFault('file_damaged', 'The workbook cannot be read.', { cause: error });
  });
  return Buffer.from(rows.map((row) => `${row.map(toCell).join(',')}\n`).join(''));
}

async function readParts(
  opened: () => Promise<ZipFile>,
  limits: FileLimits,
): Promise<Map<string, Uint8Array>> {
  const archive = await opened();
  const parts = new Map<string, Uint8Array>();
  let left = limits.maxBytes;
  try {
    for await (const entry of archive.eachEntry()) {
      if (!READ.test(entry.fileName)) continue;
      if (parts.size === MAX_PARTS)
        throw new FeedFault('zip_unusable', `The workbook has over ${MAX_PARTS} parts.`);
      const part = await readPart(opened, entry, { ...limits, left });
      left -= part.length;
      parts.set(entry.fileName, part);
    }
  } finally {
    archive.close();
  }
  if (parts.has('xl/workbook.xml')) return parts;
  throw new FeedFault('format_unknown', 'The file is an office document, but no workbook.');
}

async function readPart(
  opened: () => Promise<ZipFile>,
  entry: Entry,
  { left, ...limits }: FileLimits & { left: number },
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of readMember(opened, entry, limits)) {
    size += piece.length;
    if (size > left) throw tooLarge(limits);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
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
