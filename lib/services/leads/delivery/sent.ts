/** How one try of a delivery ended. */
export type Sent =
  | { kind: 'delivered' }
  /** `afterSeconds`: what the receiver asked for. */
  | { kind: 'failed'; reason: string; afterSeconds: number | null }
  /** The receiver is gone for good. */
  | { kind: 'refused'; reason: string }
  /** Not tried: there is no room within the limits yet. */
  | { kind: 'postponed'; reason: string; afterSeconds: number };
