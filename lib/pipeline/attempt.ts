import { failed, type Reject } from './stage.ts';

/** A value, or the reason why there is none. */
export type Attempt<Value> = { value: Value } | { reject: Reject };

/** Learns of what was thrown where a record is rejected for it: the dealer learns no more than the code. */
export type OnFault = (field: string, error: unknown) => void;

/** `fail` makes the reject of the stage that asks. */
export function attempt<Value>(
  onFault: OnFault,
  work: () => Value,
  fail: (field: string) => Reject = enrichFailed,
): Attempt<Value> {
  try {
    return { value: work() };
  } catch (error) {
    onFault('record', error);
    return { reject: fail('record') };
  }
}

export const enrichFailed = (field: string): Reject => failed('ENRICH_FAILED', field);

/** What was thrown, for the log: its kind and where. Its message may carry what a dealer sent, and stays out. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code.slice(0, 40)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const [place = ''] = frames.map((line) =>
    line
      .trim()
      .slice(0, 500)
      .replace(/(?:file:\/\/)?\/\S*\/(?=[^/\s]+$)/, ''),
  );
  return `${error.name.slice(0, 60)}${code} ${place.slice(0, 120)}`.trimEnd();
}
