import type { IssueChanges, NewIssue } from '../port.ts';
import { ISSUE_LIMITS } from '../schemas.ts';

/**
 * Keys of the issues of account $1 that end when a row of `wanted` is accepted, whatever source they are from: those of
 * the same truck, and those of a record without a whole VIN under its stock number. An account without issues is asked once.
 */
export const OPEN_ISSUES = (source: string) => `
      select json_agg(json_build_array(w.place, i.source || ':' || encode(i.subject, 'hex'))) from wanted w, lateral (
        select source, subject from issues where account_id = $1 and vin = w.vin
        union all
        select source, subject from issues where account_id = $1 and stock_number = w.stock and not has_whole_vin
          and coalesce(dealer = w.dealer, true)
      ) i where ${source}::text is not null and exists (select 1 from issues where account_id = $1)`;

/** More than a write opens, so that an account with too many gets fewer. */
const MAX_SURPLUS = 2_000;

/** When the issue was last seen that has so many newer ones; null without one. */
const lastSeenAfter = (newer: number) => `(
          select last_seen_at from issues where account_id = $1
          order by last_seen_at desc, source, subject offset ${newer} limit 1)`;

/** Of the issues whose keys are closed. */
const CLOSED = `json_array_elements_text($6::json) as c(key) join issues i on i.account_id = $1
          and i.source = split_part(c.key, ':', 1) and i.subject = decode(split_part(c.key, ':', 2), 'hex')`;

/**
 * Closes and opens the issues of `toIssueParams`, whose parameters are $3 to $6; in the order of subjects, as all do. A
 * write that opens issues deletes the oldest beyond those that an account keeps, but none that it opens itself. That
 * stands first, since Postgres runs the parts that nothing reads in reverse. Another source's issue that is being written
 * stays: waiting for it could end in a deadlock.
 */
export const ISSUES_WRITTEN = `issues_surplus as (
      delete from issues where account_id = $1 and $5::json is not null
        and last_seen_at < ${lastSeenAfter(ISSUE_LIMITS.perAccount - 1)}
        and last_seen_at >= coalesce(${lastSeenAfter(ISSUE_LIMITS.perAccount + MAX_SURPLUS)}, '-infinity')
        and not (source = $3 and subject = any(array(
          select decode(o.h, 'hex') from json_to_recordset($5::json) as o(h text))))
    ), issues_closed as (
      delete from issues where account_id = $1 and source = $3 and subject = any(array(
        select i.subject from ${CLOSED} where i.source = $3 order by i.subject for update of i))
    ), issues_closed_elsewhere as (
      delete from issues where account_id = $1 and ctid = any(array(
        select i.ctid from ${CLOSED} where i.source <> $3 for update of i skip locked))
    ), issues_opened as (
      insert into issues as i (account_id, source, subject, run_no, vin, stock_number, has_whole_vin, dealer, code,
        field, received, fix)
      select $1, $3, decode(h, 'hex'), $4::bigint, vin, s, w, d, c, f, r, x
      from json_to_recordset($5::json) as o(h text, vin text, s text, w boolean, d text, c text, f text, r json, x text)
      order by h
      on conflict (account_id, source, subject) do update set run_no = excluded.run_no, vin = excluded.vin,
        stock_number = excluded.stock_number, dealer = excluded.dealer, code = excluded.code, field = excluded.field,
        received = excluded.received, fix = excluded.fix, times = i.times + 1, last_seen_at = excluded.last_seen_at,
        left_out_at = case when (i.code, i.field, i.received::text) is not distinct from
          (excluded.code, excluded.field, excluded.received::text) then i.left_out_at end
    )`;

/** The last two parameters of a write; nulls when nothing changes. */
export function toIssueParams(issues: IssueChanges | null): [string | null, string | null] {
  if (issues === null) return [null, null];
  const { open, close } = issues;
  return [
    open.length === 0 ? null : JSON.stringify(open.map(toRow)),
    close.length === 0 ? null : JSON.stringify(close),
  ];
}

/** What a dealer wrote may hold what Postgres refuses as text. */
const clean = (text: string | null) => text?.toWellFormed().replaceAll('\u0000', '');

function toRow(issue: NewIssue) {
  return {
    h: issue.subject,
    vin: clean(issue.vin),
    s: clean(issue.stockNumber),
    w: issue.hasWholeVin,
    d: clean(issue.dealer),
    c: issue.code,
    f: clean(issue.field),
    r: issue.received,
    x: clean(issue.fix),
  };
}
