/** What a dealer's file may cost; lengths in UTF-16 units of decoded text. */
export interface FileLimits {
  /** Decompressed bytes. */
  maxBytes: number;
  /** Decompressed per compressed byte, checked once more than `ratioFrom` bytes have come out. */
  maxRatio: number;
  ratioFrom: number;
  maxRows: number;
  /** Columns of a header; also attributes of an element. */
  maxColumns: number;
  /** Cells, members, elements or attributes of a row. */
  maxValues: number;
  maxCell: number;
  maxRow: number;
  /** A chunk ends early when its rows hold so much: whoever takes it works on it in one go. */
  maxChunk: number;
  maxChunkValues: number;
}

const MIB = 1024 * 1024;

export const FILE_LIMITS: FileLimits = {
  maxBytes: 4 * 1024 * MIB,
  maxRatio: 250,
  ratioFrom: 32 * MIB,
  maxRows: 5_000_000,
  maxColumns: 1_000,
  maxValues: 2_000,
  maxCell: MIB,
  maxRow: 4 * MIB,
  maxChunk: MIB / 4,
  maxChunkValues: 20_000,
};

/** No row is read deeper than this, and nothing around the rows. */
export const MAX_DEPTH = 32;
