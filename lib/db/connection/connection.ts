import { within } from '../../outside/system/within.ts';
import type { Statement } from '../sql.ts';
import { DatabaseDown, isRefusal, toFault } from './errors.ts';

/** `command` is PostgreSQL's tag, for example `INSERT` or `ROLLBACK`. */
export interface Result {
  rows: unknown[];
  command: string;
}

/** A client of pg or of @vercel/postgres, which differ in their types only. */
export interface Client {
  query(query: object): Promise<Result | Result[]>;
  release(destroy: boolean): void;
}

/** A client that one caller uses at a time. */
export interface Connection {
  run(statement: Statement, params: readonly unknown[], timeoutMs: number): Promise<Result>;
  /** Returns the client to its pool, or destroys it with whatever it is still doing. */
  release(): void;
}

/** Calls `onAnswer` for every answer of the server, errors included. */
export function toConnection(client: Client, onAnswer: () => void): Connection {
  let isBroken = false;
  return {
    async run({ text, name, rowMode }, params, timeoutMs) {
      if (params.includes(undefined)) throw new TypeError('a query parameter is undefined');
      if (isBroken) throw new DatabaseDown(new Error('an earlier statement broke the connection'));
      try {
        const result = await within(timeoutMs, () => client.query({ text, name, rowMode, values: params }));
        onAnswer();
        // A message of several commands is answered once for each; the last one counts.
        return Array.isArray(result) ? (result.at(-1) as Result) : result;
      } catch (error) {
        if (isRefusal(error)) onAnswer();
        else isBroken = true;
        throw toFault(error);
      }
    },
    release: () => client.release(isBroken),
  };
}
