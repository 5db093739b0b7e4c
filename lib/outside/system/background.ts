import type { Background, Log } from '../system.ts';

/** Continues work after the answer: by the platform's waitUntil where there is one, else in the running process. */
export function background(log: Log): Background {
  return {
    run(work) {
      const settled = work.catch((error: unknown) => {
        log.write({ level: 'error', event: 'background_work_failed', error: String(error) });
      });
      // Where Vercel's runtime keeps the current request's context: the contract behind waitUntil of @vercel/functions.
      const platform: { get?(): { waitUntil?(work: Promise<unknown>): void } | undefined } | undefined =
        Reflect.get(globalThis, Symbol.for('@vercel/request-context'));
      platform?.get?.()?.waitUntil?.(settled);
    },
  };
}
