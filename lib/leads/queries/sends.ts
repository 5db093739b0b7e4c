import type { Sql, Statement } from '../../db/sql.ts';

/** Mail addresses and webhooks that leads are sent to, and how much was sent to each in the last hour. */

/** Sends an hour: few to a destination that nobody confirmed, so that a lead form is no mail cannon. */
export const SEND_LIMITS = { unconfirmed: 20, dealer: 300, account: 2_000 } as const;

/** Mails of clean enquiries an hour that each account has to an address, whoever else writes to it: nobody's leads starve its owner. */
const SHARE_OF_UNCONFIRMED = 2;

export interface SendRequest {
  dealer: string;
  /** A mail address in lower case, or a webhook: what is confirmed. */
  address: string;
  /** Addresses that may lead to one mailbox are counted as one. */
  countedAs: string;
  /** Of flagged enquiries each limit admits a third. */
  suspicious: boolean;
}

interface SendPermit {
  allowed: boolean;
  /** The account proved that the address is its dealer's. */
  confirmed: boolean;
  /** Until there is room again. */
  waitSeconds: number;
  /** Of the send that was counted, if it is allowed. */
  sendId: string | null;
}

/** Counts a send if the limits leave room for it; those of one moment do not see each other, so a limit may be passed by a few. */
export async function reserveSend(
  db: Sql,
  accountId: string,
  { dealer, address, countedAs, suspicious }: SendRequest,
) {
  const [permit] = await db.query<SendPermit>(RESERVE, [accountId, dealer, countedAs, address, suspicious]);
  if (!permit) throw new Error('the reservation returned no row');
  return permit;
}

/** Takes a send that did not reach its destination out of the count. */
export const releaseSend = (db: Sql, accountId: string, sendId: string | null) =>
  db.query({ text: 'delete from lead_sends where account_id = $1 and id = $2::bigint' }, [accountId, sendId]);

export const confirmDestination = (db: Sql, accountId: string, address: string) =>
  db.query(
    {
      text: 'insert into lead_destinations (account_id, destination) values ($1, $2) on conflict do nothing',
    },
    [accountId, address],
  );

/** Forgets sends of more than an hour ago; returns the number of them. */
export const sweepSends = async (db: Sql): Promise<number> => (await db.query(SWEEP)).length;

const HASH = `sha256(convert_to($3, 'UTF8'))`;

/** Fewer sends than `limit`; for a flagged one fewer flagged ones than a third of it, too. */
const isBelow = (limit: number, sends: string) => `(count(*) filter (where ${sends}) < ${limit}
            and (not $5::boolean or count(*) filter (where suspicious and ${sends}) < ${limit} / 3))`;

/** An unconfirmed address is counted across all accounts. */
const RESERVE: Statement = {
  text: `
    with known as (
      select exists (select 1 from lead_destinations where account_id = $1 and destination = $4) as confirmed
    ), recent as (
      select at, destination_hash = ${HASH} as same_destination, account_id = $1 as same_account,
        account_id = $1 and dealer = $2 as same_dealer, confirmed as sent_confirmed, suspicious
      from lead_sends where at > now() - interval '1 hour' and (destination_hash = ${HASH} or account_id = $1)
    ), counted as (
      select known.confirmed, case when known.confirmed
          then ${isBelow(SEND_LIMITS.dealer, 'same_dealer')} and ${isBelow(SEND_LIMITS.account, 'same_account')}
          else (${isBelow(SEND_LIMITS.unconfirmed, 'same_destination')} or not $5::boolean
              and count(*) filter (where same_destination and same_account and not suspicious) < ${SHARE_OF_UNCONFIRMED})
            and ${isBelow(3 * SEND_LIMITS.unconfirmed, 'same_account and not sent_confirmed')} end as allowed,
        min(at) filter (where (same_account or same_destination) and (suspicious or not $5::boolean)) as oldest
      from known left join recent on true group by known.confirmed
    ), sent as (
      insert into lead_sends (account_id, dealer, destination_hash, confirmed, suspicious)
      select $1, $2, ${HASH}, confirmed, $5::boolean from counted where allowed returning id
    )
    select allowed, confirmed, (select id::text from sent) as "sendId",
      greatest(60, ceil(extract(epoch from oldest + interval '1 hour' - now())))::int as "waitSeconds"
    from counted`,
};

/** Hashes and times alone. */
const SWEEP: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ delete from lead_sends where at < now() - interval '1 hour' returning true as swept`,
};
