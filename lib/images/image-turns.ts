import { FairQueue } from '../db/fair-queue.ts';
import { inTurn } from '../db/in-turn.ts';

/** Photos of up to 15 MiB that this process has in memory at a time; the second number is one account's share. */
const IN_MEMORY = new FairQueue(12, 4);
/** At most so many at a time, and from one server. */
const CONNECTIONS = new FairQueue(6, 3);
/** One at a time, because a decoded photo takes up to 200 MB. */
const RENDERING = new FairQueue(1);

/** What `work` made of a photo of the account, from its first byte on; null when the signal came before its turn. */
export const withMemory = <Result>(account: string, signal: AbortSignal, work: () => Promise<Result>) =>
  inTurn(IN_MEMORY, account, signal, work);

/** The same of making a photo ready. */
export const withRenderer = <Result>(account: string, signal: AbortSignal, work: () => Promise<Result>) =>
  inTurn(RENDERING, account, signal, work);

/** The same of asking a server. */
export const withConnection = <Result>(host: string, signal: AbortSignal, work: () => Promise<Result>) =>
  inTurn(CONNECTIONS, host, signal, work);
