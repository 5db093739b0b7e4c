const KEY = /^[a-z0-9]+(?:\/[a-z0-9][a-z0-9._-]*)+$/;

/** Keys are made by the service, never by callers: one that could leave the store is a bug. */
export function checkedKey(key: string): string {
  if (key.length > 500 || !KEY.test(key) || key.includes('..'))
    throw new Error(`no key of an object: ${key.slice(0, 80)}`);
  return key;
}
