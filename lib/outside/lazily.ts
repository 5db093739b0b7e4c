import { Unavailable } from './faults.ts';

/**
 * A port whose adapter is loaded on first use, so that a cold start does not even read it. Every method answers a
 * promise anyway. Ports with members that are no methods are not for this.
 */
export function lazily<Port extends object>(load: () => Promise<Port>): Port {
  let loading: Promise<Port> | undefined;
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    loading ??= load().catch((cause: unknown) => {
      throw new Unavailable('a part of this function is missing', { cause });
    });
    const port = await loading;
    const method: unknown = Reflect.get(port, name);
    if (typeof method !== 'function') throw new TypeError(`the port has no method ${name}`);
    return method.apply(port, args);
  };
  const port = new Proxy(
    {},
    {
      get(_, name) {
        // Neither a promise nor anything that a runtime may ask an object for.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        return (...args: unknown[]) => call(name, args);
      },
    },
  );
  // Each member behaves as the port's own, one await later.
  return port as Port;
}
