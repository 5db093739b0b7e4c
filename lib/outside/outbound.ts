import type { Located } from '../truck/listing/listing-doc.ts';
import type { Place } from '../truck/listing/truck.ts';

/** Requests to servers of others. */

/** Coordinates of a US place. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

export interface Geocoder {
  /**
   * Batch look-up, same length and order; null where nothing is known, `later` where it could not be asked now. Throws
   * for no single bad place.
   */
  locate(
    places: readonly (Pick<Place, 'city' | 'state' | 'zip'> & Partial<Place>)[],
  ): Promise<(Located | 'later')[]>;
}

/** One exchange with a server that is not ours. */
export interface OutboundRequest {
  url: string;
  /** Default GET. Redirects are followed for GET only. */
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Most bytes of the answer's body, as transferred and as decompressed. */
  maxBytes: number;
  /** For the whole exchange: look-up, connection, redirects and body. */
  timeoutMs: number;
  httpsOnly?: boolean;
}

export interface OutboundAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  url: string;
  /** The body, decompressed. */
  bytes: Uint8Array;
}

/** Why there was no answer, and whether another try may fare better. */
const OUTBOUND_FAILURES = {
  /** No http(s) URL, another port than 80 or 443, or credentials in it. */
  url_refused: 'final',
  /** It leads to an address that is not public. */
  address_refused: 'final',
  dns_failed: 'transient',
  connection_failed: 'transient',
  timeout: 'transient',
  too_large: 'final',
  too_many_redirects: 'final',
  /** Compressed in a way that cannot be read. */
  encoding_unreadable: 'final',
} as const;

export type OutboundReason = keyof typeof OUTBOUND_FAILURES;

export class OutboundFailure extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, detail: string, cause?: unknown) {
    super(`${reason}: ${detail}`, { cause });
    this.name = 'OutboundFailure';
    this.reason = reason;
  }

  get transient(): boolean {
    return OUTBOUND_FAILURES[this.reason] === 'transient';
  }
}

/** Every request to a server of others goes through it. */
export interface Fetcher {
  /** Any HTTP status is an answer. Throws `OutboundFailure`. */
  fetch(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * Why an http(s) or sftp URL would be refused whatever its name resolves to: its port, an address that is not public,
   * or a name of a private network. Null: it would be tried. Nothing is looked up.
   */
  findRefusal(url: string): Promise<OutboundReason | null>;
  /** Aborts running requests and refuses new ones. */
  close(): void;
}
