// Fails without it: outages.test.ts, "silence on a warm connection is DatabaseDown".
import { DatabaseDown } from './sql.ts';

/** `work`, or `DatabaseDown` when it takes longer. The work itself goes on: its owner has to abandon it. */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DatabaseDown(new Timeout(timeoutMs))), timeoutMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

class Timeout extends Error {
  override name = 'Timeout';

  constructor(timeoutMs: number) {
    super(`no answer within ${Math.round(timeoutMs)} ms`);
  }
}
