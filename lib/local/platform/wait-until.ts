/**
 * Gives handlers the platform's waitUntil, where they look for it on Vercel (the contract behind
 * @vercel/functions), so that work which goes on after an answer is not cut off by an orderly end.
 */
export interface PendingWork {
  /** Waits until nothing is pending, for at most `ms`. Answers whether everything ended. */
  settled(ms: number): Promise<boolean>;
  uninstall(): void;
}

const CONTEXT = Symbol.for('@vercel/request-context');

export function installWaitUntil(): PendingWork {
  const pending = new Set<Promise<unknown>>();
  const waitUntil = (work: Promise<unknown>) => {
    const tracked = Promise.resolve(work)
      .catch(() => undefined)
      .finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  const context = { waitUntil };
  const waiter = { get: () => context };
  Reflect.set(globalThis, CONTEXT, waiter);
  return {
    async settled(ms) {
      const late = Date.now() + ms;
      while (pending.size > 0 && Date.now() < late) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, late - Date.now());
        await Promise.race([Promise.all(pending), promise]);
        clearTimeout(timer);
      }
      return pending.size === 0;
    },
    uninstall() {
      if (Reflect.get(globalThis, CONTEXT) === waiter) Reflect.deleteProperty(globalThis, CONTEXT);
    },
  };
}
