import type { Background, Log } from '../system.ts';

/** Lets work go on after the answer; the platform's waitUntil where there is one, else the running process. */
export function background(log: Log): Background {
  return {
    run(work) {
      const settled = work.catch((error: unknown) => {
        log.write({ level: 'error', event: 'background_work_failed', error: String(error) });
      });
      platformContext()?.waitUntil?.(settled);
    },
  };
}

interface RequestContext {
  waitUntil?: (work: Promise<unknown>) => void;
}

/** Where Vercel's runtime keeps the current request's context (the contract behind @vercel/functions' waitUntil). */
function platformContext(): RequestContext | undefined {
  const context: unknown = Reflect.get(globalThis, Symbol.for('@vercel/request-context'));
  if (typeof context !== 'object' || context === null || !('get' in context)) return undefined;
  return typeof context.get === 'function' ? context.get() : undefined;
}
