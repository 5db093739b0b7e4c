import type { Principal } from '../../accounts/keys/principal.ts';
import type { Session } from '../../accounts/people/queries.ts';
import { rememberBriefly } from '../../accounts/queries/remember.ts';
import { newCallCounts } from '../../accounts/usage.ts';
import type { Clock } from '../../outside/system.ts';
import type { Sql } from '../sql.ts';
import type { Store, StorePorts } from '../store.ts';

/** A database with what this process remembers of it; transactions share the memories. */
export function postgresStore(sql: Sql, clock: Clock): StorePorts {
  const principals = rememberBriefly<Principal>(clock.now, ({ expiresAt }) => expiresAt);
  const sessions = rememberBriefly<Session>(clock.now);
  const callCounts = newCallCounts();
  const storeOn = (on: Sql): Store => ({
    transaction: (work, role = 'ingest') => {
      if (on.transactional) return work(bind(on));
      return on.transaction((bound) => work(bind(bound)), role);
    },
  });
  const bind = (on: Sql): StorePorts => ({ store: storeOn(on), db: on, principals, sessions, callCounts });
  return bind(sql);
}
