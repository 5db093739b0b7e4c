import { type Rejected, toFieldReject, toRejected } from './stage.ts';

/** Learns of what was thrown where a record is rejected for it: the dealer learns no more than the code. */
export type OnFault = (field: string, error: unknown) => void;

/** What `work` makes of the record of a VIN; when it throws, the record is rejected by `code`. */
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

/** What was thrown, for the log: its kind and where. Its message may carry what a dealer sent, and stays out. */
export function describeCause(error: unknown) {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  const place = /\n {4}(at .*)/.exec(error.stack ?? '')?.[1]?.slice(0, 500) ?? '';
  return `${error.name} ${place.replace(/(?:file:\/\/)?\/\S*\/(?=[^/\s]+$)/, '')}`.slice(0, 200);
}
