import { type Rejected, toFieldReject, toRejected } from './stage.ts';

/** Receives what was thrown when a record is rejected for it; the dealer gets the code alone. */
export type OnFault = (field: string, error: unknown) => void;

/** Returns what `work` makes of a VIN's record; rejects the record by `code` if it throws. */
export function attempt<Made>(
  {
    vin,
    code,
    onFault,
  }: { vin: string; code: 'ENRICH_FAILED' | 'INDEX_FAILED'; onFault: OnFault | undefined },
  work: () => Made,
): Made | Rejected {
  try {
    return work();
  } catch (error) {
    onFault?.('record', error);
    return toRejected(vin, toFieldReject(code, 'record'));
  }
}

/** Describes an error for the log by its kind and place. Its message may carry a dealer's data, and stays out. */
export function describeCause(error: unknown) {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  const place = /\n {4}(at .*)/.exec(error.stack ?? '')?.[1]?.slice(0, 500) ?? '';
  return `${error.name} ${place.replace(/(?:file:\/\/)?\/\S*\/(?=[^/\s]+$)/, '')}`.slice(0, 200);
}
