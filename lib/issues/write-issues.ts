import type { Sql, Statement } from '../db/sql.ts';
import type { IssueChanges, RecordSource } from '../pipeline/batch/stored-listings.ts';
import { ISSUE_LIMITS } from './schemas.ts';

/** More than a write opens, so that an account with too many gets fewer. */
const MAX_SURPLUS = 2_000;

/** When the issue was last seen that has so many newer ones; null without one. */
const lastSeenAfter = (newer: number) => `(
          select last_seen_at from issues where account_id = $1
          order by last_seen_at desc, source, subject offset ${newer} limit 1)`;

/** Of the issues whose keys are closed. */
const CLOSED = `json_array_elements_text($5::json) as c(key) join issues i on i.account_id = $1
          and i.source = split_part(c.key, ':', 1) and i.subject = decode(split_part(c.key, ':', 2), 'hex')`;

/** Opens and closes issues of a source, in the order of subjects, as all do. */
export async function writeIssues(
  db: Sql,
  accountId: string,
  { open, close }: IssueChanges,
  { id, runNo }: RecordSource,
): Promise<void> {
  const openIssues = open.length === 0 ? null : JSON.stringify(open, clean);
  await db.query(WRITE, [accountId, id, runNo, openIssues, JSON.stringify(close)]);
}

/**
 * A write that opens issues deletes the oldest beyond those that an account keeps, but none that it opens itself. That
 * stands first, since Postgres runs the parts that nothing reads in reverse. Another source's issue that is being written
 * stays: waiting for it could end in a deadlock.
 */
const WRITE: Statement = {
  timeout: 'ingest',
  text: `
    with surplus as (
      delete from issues where account_id = $1 and $4::json is not null
        and last_seen_at < ${lastSeenAfter(ISSUE_LIMITS.perAccount - 1)}
        and last_seen_at >= coalesce(${lastSeenAfter(ISSUE_LIMITS.perAccount + MAX_SURPLUS)}, '-infinity')
        and not (source = $2 and subject = any(array(
          select decode(o.subject, 'hex') from json_to_recordset($4::json) as o(subject text))))
    ), closed as (
      delete from issues where account_id = $1 and source = $2 and subject = any(array(
        select i.subject from ${CLOSED} where i.source = $2 order by i.subject for update of i))
    ), closed_elsewhere as (
      delete from issues where account_id = $1 and ctid = any(array(
        select i.ctid from ${CLOSED} where i.source <> $2 for update of i skip locked))
    )
    insert into issues as i (account_id, source, subject, run_no, vin, stock_number, has_whole_vin, dealer, code,
      field, received, fix)
    select $1, $2, decode(subject, 'hex'), $3::bigint, vin, "stockNumber", "hasWholeVin", dealer, code, field, received, fix
    from json_to_recordset($4::json) as o(subject text, vin text, "stockNumber" text, "hasWholeVin" boolean, dealer text,
      code text, field text, received json, fix text)
    order by subject
    on conflict (account_id, source, subject) do update set run_no = excluded.run_no, vin = excluded.vin,
      stock_number = excluded.stock_number, dealer = excluded.dealer, code = excluded.code, field = excluded.field,
      received = excluded.received, fix = excluded.fix, times = i.times + 1, last_seen_at = excluded.last_seen_at,
      left_out_at = case when (i.code, i.field, i.received::text) is not distinct from
        (excluded.code, excluded.field, excluded.received::text) then i.left_out_at end`,
};

/** What a dealer wrote may hold what Postgres refuses as text. */
const clean = (_: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '') : value;
