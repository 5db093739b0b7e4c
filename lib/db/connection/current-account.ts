import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work`; all its statements wait for connections as this account's. */
export const asAccount = <Result>(accountId: string, work: () => Result): Result =>
  storage.run(accountId, work);

/** The account of the current statements; null: a request whose account is not known yet. */
export const currentAccount = (): string | null => storage.getStore() ?? null;
