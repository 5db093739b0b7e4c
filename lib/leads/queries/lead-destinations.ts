import type { Sql, Statement } from '../../db/sql.ts';
import type { LeadDestinations, SendPermit } from '../ports/lead-destinations.ts';

export function postgresLeadDestinations(sql: Sql): LeadDestinations {
  return {
    of: (accountId) => ({
      async confirm(address) {
        await sql.query(CONFIRM, [accountId, address]);
      },
      async reserve({ dealer, destination, suspicious }, limits) {
        const { unconfirmed, dealer: byDealer, account } = limits;
        const { address, countedAs } = destination;
        const params = [accountId, dealer, countedAs, unconfirmed, byDealer, account, address, suspicious];
        const [permit] = await sql.query<SendPermit>(RESERVE, params);
        if (!permit) throw new Error('the reservation returned no row');
        return permit;
      },
      async release(sendId) {
        await sql.query(RELEASE, [accountId, sendId]);
      },
    }),
    async sweep() {
      const [row] = await sql.query<{ swept: number }>(SWEEP);
      return row?.swept ?? 0;
    },
  };
}

const CONFIRM: Statement = {
  text: `
    insert into lead_destinations (account_id, destination) values ($1, $2) on conflict do nothing`,
};

/** Mails of clean enquiries an hour that each account has to an address, whoever else writes to it: nobody's leads starve its owner. */
const SHARE_OF_UNCONFIRMED = 2;

const HASH = `sha256(convert_to($3, 'UTF8'))`;

/** Fewer sends than `limit`; for a flagged one fewer flagged ones than a third of it, too. */
const isBelow = (limit: string, sends: string) => `(count(*) filter (where ${sends}) < ${limit}
            and (not $8::boolean or count(*) filter (where suspicious and ${sends}) < ${limit} / 3))`;

const RESERVE: Statement = {
  text: `
    with known as (
      select exists (select 1 from lead_destinations where account_id = $1 and destination = $7) as confirmed
    ), recent as (
      select at, destination_hash = ${HASH} as same_destination, account_id = $1 as same_account,
        account_id = $1 and dealer = $2 as same_dealer, confirmed as sent_confirmed, suspicious
      from lead_sends where at > now() - interval '1 hour' and (destination_hash = ${HASH} or account_id = $1)
    ), counted as (
      select known.confirmed, case when known.confirmed
          then ${isBelow('$5::int', 'same_dealer')} and ${isBelow('$6::int', 'same_account')}
          else (${isBelow('$4::int', 'same_destination')} or not $8::boolean
              and count(*) filter (where same_destination and same_account and not suspicious) < ${SHARE_OF_UNCONFIRMED})
            and ${isBelow('3 * $4::int', 'same_account and not sent_confirmed')} end as allowed,
        min(at) filter (where (same_account or same_destination) and (suspicious or not $8::boolean)) as oldest
      from known left join recent on true group by known.confirmed
    ), sent as (
      insert into lead_sends (account_id, dealer, destination_hash, confirmed, suspicious)
      select $1, $2, ${HASH}, confirmed, $8::boolean from counted where allowed returning id
    )
    select allowed, confirmed, case when allowed then 0
      else greatest(60, ceil(extract(epoch from oldest + interval '1 hour' - now()))) end::int as "waitSeconds",
      (select id::text from sent) as "sendId"
    from counted`,
};

const RELEASE: Statement = { text: 'delete from lead_sends where account_id = $1 and id = $2::bigint' };

/** Across all accounts: hashes and times. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with swept as (delete from lead_sends where at < now() - interval '1 hour' returning 1)
    select count(*)::int as swept from swept`,
};
