/** Files that people send: looked at, listed, and gone after a day. An account has one at a time. */

export interface KeptFile {
  id: string;
  name: string;
  bytes: Uint8Array;
}

/** How far a file is listed. */
export interface UploadState {
  name: string;
  /** Null before it is listed. */
  result: unknown;
}
