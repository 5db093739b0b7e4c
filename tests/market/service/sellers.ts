import { startService, type TestAccount } from '../../support/service/service.ts';

/** Accounts that see each other in the market: `own` asks, the others sell. */

export const service = await startService();
export const own = await service.newAccount();
export const others = (await Promise.all([1, 2, 3].map(() => service.newAccount()))) as [
  TestAccount,
  TestAccount,
  TestAccount,
];

let serial = 0;
/** A make nobody else in this database has. */
export const uniqueMake = () => `Zm${process.pid}x${++serial}`;
