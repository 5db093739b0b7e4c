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

export interface Uploads {
  of(accountId: string): {
    /** In the place of what was kept before; false while that is being listed. */
    keep(file: KeptFile): Promise<boolean>;
    /** Null when it is not kept any more. */
    read(id: string): Promise<Omit<KeptFile, 'id'> | null>;
    state(id: string): Promise<UploadState | null>;
    /** It is to be listed: what became of its rows so far, and the payload of the job that lists it. */
    start(id: string, result: object, payload: Record<string, unknown>): Promise<void>;
    /** Notes what became of its rows so far; `bytes`: what is kept from now on in the place of the file. */
    save(id: string, result: object, bytes?: Uint8Array): Promise<void>;
  };
  /** Across all accounts: removes what is older than a day; returns how many those were. */
  sweep(): Promise<number>;
}
