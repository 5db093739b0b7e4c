/** What a dealer's file may cost; lengths in UTF-16 units of decoded text. */
export interface FileLimits {
  /** Decompressed bytes. */
  maxBytes: number;
  /** Decompressed per compressed byte, checked once more than `ratioFrom` bytes have come out. */
  maxRatio: number;
  ratioFrom: number;
  /** Of a JSON document, which is read in one go, and the values in it. */
  maxDocument: number;
  maxDocumentValues: number;
  maxRows: number;
  /** Columns of a header; also attributes of an element. */
  maxColumns: number;
  /** Cells, members, elements or attributes of a row. */
  maxValues: number;
  maxCell: number;
  maxRow: number;
  /** Rows of a part, which ends early when its lines are longer than `maxPart`. */
  partRows: number;
  maxPart: number;
}

const MIB = 1024 * 1024;

export const FILE_LIMITS: FileLimits = {
  maxBytes: 4 * 1024 * MIB,
  maxRatio: 250,
  ratioFrom: 32 * MIB,
  maxDocument: 64 * MIB,
  maxDocumentValues: 4_000_000,
  maxRows: 5_000_000,
  maxColumns: 1_000,
  maxValues: 2_000,
  maxCell: MIB,
  maxRow: 4 * MIB,
  partRows: 5_000,
  maxPart: 8 * MIB,
};

/** No row is read deeper than this, and nothing around the rows. */
export const MAX_DEPTH = 32;
/** Both together. */
export const MAX_TREE_DEPTH = 3 * MAX_DEPTH;
