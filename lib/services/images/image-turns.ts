import { Turns } from '../../domain/fair-use/turns.ts';

/** Photos of up to 15 MiB that this process has in memory at a time; the second number is one account's share. */
const IN_MEMORY = new Turns(12, 4);
/** One at a time, because a decoded photo takes up to 200 MB. */
const RENDERING = new Turns(1);

async function inTurn<Result>(
  turns: Turns,
  account: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | 'late'> {
  if (!(await turns.begin({ account, signal }))) return 'late';
  try {
    return await work();
  } finally {
    turns.end(account);
  }
}

/** What `work` made of a photo of the account, from its first byte on; `late` when the signal came before its turn. */
export const withMemory = <Result>(account: string, signal: AbortSignal, work: () => Promise<Result>) =>
  inTurn(IN_MEMORY, account, signal, work);

/** The same of making a photo ready. */
export const withRenderer = <Result>(account: string, signal: AbortSignal, work: () => Promise<Result>) =>
  inTurn(RENDERING, account, signal, work);
