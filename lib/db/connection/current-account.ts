import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Has the statements of `work`, and of whatever it starts, wait for connections as this account's. */
export const asAccount = <Result>(accountId: string, work: () => Result): Result =>
  storage.run(accountId, work);

/** The account that statements of here and now are for; null: requests whose account is not known yet. */
export const currentAccount = (): string | null => storage.getStore() ?? null;
