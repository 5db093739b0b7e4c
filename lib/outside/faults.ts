/** Failures that services tell apart, whatever adapter they come from. */

/** Something the service depends on does not answer; the caller may try again. */
export class Unavailable extends Error {
  override name = 'Unavailable';
  /** What the answer says. */
  readonly publicMessage: string = 'A part of the service does not answer right now.';
}

/** Row locks could not be acquired in time. */
export class LockTimeout extends Unavailable {
  override name = 'LockTimeout';

  constructor(cause?: unknown) {
    super('listings are locked by another writer', { cause });
  }
}

/** Another writer was faster: try the whole again, with the rows locked. */
export class WriteConflict extends Error {
  override name = 'WriteConflict';
}

/** The data of these rows cannot be stored, however often it is tried (SQLSTATE class 22 or 23). */
export class RejectedByDatabase extends Error {
  override name = 'RejectedByDatabase';

  constructor(cause?: unknown) {
    super('the store refuses this data', { cause });
  }
}
