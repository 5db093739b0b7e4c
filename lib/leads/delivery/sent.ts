/** How one try of a delivery ended. */
export type Sent =
  | { kind: 'delivered' }
  /** `afterSeconds`: what the receiver asked for. `isUnsent`: nothing reached it, our own mail server failed. */
  | { kind: 'failed'; reason: string; afterSeconds: number | null; isUnsent?: boolean }
  /** The receiver is gone for good. */
  | { kind: 'refused'; reason: string }
  /** Not tried: there is no room within the limits yet. */
  | { kind: 'postponed'; reason: string; afterSeconds: number };
