import type { Session } from '../../accounts/people/queries.ts';
import { postgresAccounts } from '../../accounts/queries/accounts.ts';
import { postgresIdempotency } from '../../accounts/queries/idempotency.ts';
import { rememberBriefly } from '../../accounts/queries/remember.ts';
import { lazily } from '../../outside/lazily.ts';
import type { Clock } from '../../outside/system.ts';
import type { Sql } from '../sql.ts';
import type { Store, StorePorts } from '../store.ts';

/** Every store port over one database. */
export function postgresStore(sql: Sql, clock: Clock): StorePorts {
  const accounts = postgresAccounts(sql, clock.now);
  // One for all transactions: calls are counted by it.
  const usage = lazily(async () => (await import('../../accounts/queries/usage.ts')).postgresUsage(sql));
  // One for all transactions.
  const sessions = rememberBriefly<Session>(clock.now);
  const storeOn = (on: Sql): Store => ({
    transaction: (work, role = 'ingest') => {
      if (on.transactional) return work(bind(on));
      return on.transaction((bound) => work(bind(bound)), role);
    },
  });
  const bind = (on: Sql): StorePorts => ({
    store: storeOn(on),
    db: on,
    accounts,
    sessions,
    usage,
    overview: lazily(async () => (await import('../../accounts/queries/overview.ts')).postgresOverview(on)),
    accountData: lazily(async () =>
      (await import('../../accounts/queries/account-data.ts')).postgresAccountData(on),
    ),
    audit: lazily(async () => (await import('../../accounts/queries/audit.ts')).postgresAudit(on)),
    idempotency: postgresIdempotency(on),
    conversations: lazily(async () =>
      (await import('../../leads/queries/conversations.ts')).postgresConversations(on),
    ),
    leads: lazily(async () => (await import('../../leads/queries/leads.ts')).postgresLeads(on)),
    leadDestinations: lazily(async () =>
      (await import('../../leads/queries/lead-destinations.ts')).postgresLeadDestinations(on),
    ),
  });
  return bind(sql);
}
