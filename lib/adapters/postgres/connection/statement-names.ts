// Fails without it: drivers.test.ts, "survive a migration that changes what they return".
import { createHash } from 'node:crypto';
import { type Statement, sqlState } from './sql.ts';

const namesByText = new Map<string, string>();

/** The name a statement is prepared under: the same text has the same name in every process and version. */
function statementName(text: string): string {
  let name = namesByText.get(text);
  if (name === undefined) {
    name = `ctis_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    namesByText.set(text, name);
  }
  return name;
}

/**
 * Whether names still work on a pool. A pooler that gives every transaction another server connection (PgBouncer
 * before 1.21) loses or doubles them.
 */
export class StatementNames {
  #work = true;

  for(statement: Statement): string | undefined {
    return statement.prepared && this.#work ? statementName(statement.text) : undefined;
  }

  /**
   * The fault that an error shows in a statement sent under a name: `lost` when names do not work here, `stale` when
   * a migration changed what this connection's copy returns, null when it has nothing to do with the name. Neither
   * kind has run: both are raised before execution, and roll the statement back in any case.
   */
  findFault(error: unknown): 'lost' | 'stale' | null {
    const state = sqlState(error);
    if (state === '26000' || state === '42P05') {
      this.#work = false;
      return 'lost';
    }
    return state === '0A000' ? 'stale' : null;
  }
}
