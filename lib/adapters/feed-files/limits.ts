/** What a dealer's file may cost; lengths in UTF-16 units of decoded text. */
export interface FileLimits {
  /** Decompressed bytes. */
  maxBytes: number;
  /** Decompressed per compressed byte, looked at once more than `ratioFrom` bytes have come out. */
  maxRatio: number;
  ratioFrom: number;
  maxCell: number;
  maxRow: number;
}

const MIB = 1024 * 1024;

export const FILE_LIMITS: FileLimits = {
  maxBytes: 4 * 1024 * MIB,
  maxRatio: 250,
  ratioFrom: 32 * MIB,
  maxCell: MIB,
  maxRow: 4 * MIB,
};

/** Deeper than this no row is read. */
export const MAX_DEPTH = 32;
