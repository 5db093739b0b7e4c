import type * as z from 'zod/mini';
import { iso, START_MOMENT } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';
import type { IssueChanges, RecordSource } from '../pipeline/batch/stored-listings.ts';
import { ISSUE_LIMITS, type IssueAnswer } from './schemas.ts';

/** Absent: any; `left_out`: only what a person left out, else only what nobody did. */
export type IssueFilters = Partial<
  Record<'source' | 'code' | 'dealer' | 'vin', string | null | undefined>
> & { left_out?: boolean | undefined };

const toParams = ({ source, code, dealer, vin, left_out }: IssueFilters) => [
  ...[source, code, dealer, vin].map((value) => value ?? null),
  left_out === true,
];

/** The issues seen last first, each with the key of its place; from behind the key `after`. */
export async function readIssues(
  db: Sql,
  accountId: string,
  filters: IssueFilters,
  { limit, after }: { limit: number; after: string | null },
) {
  const [seen = null, source = null, subject = null] = after?.split(':') ?? [];
  const values = [accountId, ...toParams(filters), seen, source, subject, limit];
  const rows = await db.query<{ issue: z.output<typeof IssueAnswer>; key: string }>(LIST, values);
  return rows.map(({ issue, key }) => ({ ...issue, key }));
}

/** Issues of one code and field, which the same change mends. */
export interface IssueGroup {
  code: string;
  field: string | null;
  /** Distinct trucks. */
  count: number;
  /** Of the one seen last. */
  fix: string;
}

/** The largest first. */
export const readIssueGroups = (db: Sql, accountId: string, filters: IssueFilters) =>
  db.query<IssueGroup>(GROUPS, [accountId, ...toParams(filters), ISSUE_LIMITS.perAccount]);

/** One issue by source and subject, or those of a code and field; null: any. */
export interface IssueChoice {
  source: string | null;
  subject: string | null;
  code: string | null;
  field: string | null;
}

/** Says that these trucks are not to be listed, or are after all; returns how many. */
export async function setLeftOut(
  db: Sql,
  accountId: string,
  { source, subject, code, field }: IssueChoice,
  isLeftOut: boolean,
): Promise<number> {
  const values = [accountId, source, subject, code, field, isLeftOut];
  const [row] = await db.query<{ trucks: number }>(SET_LEFT_OUT, values);
  return row?.trucks ?? 0;
}

/** Forgets what was not seen for 30 days; returns how many. What is beyond those kept goes when others are written. */
export const sweepIssues = async (db: Sql): Promise<number> =>
  (await db.query(SWEEP, [ISSUE_LIMITS.days])).length;

const MATCHES = `($2::text is null or i.source = $2) and ($3::text is null or i.code = $3)
      and ($4::text is null or i.dealer = $4) and ($5::text is null or i.vin = $5)
      and (i.left_out_at is not null) = $6::boolean`;

/** A truck that several sources have wrong is one: by its VIN, whole or not, else by its stock number, as issues end. */
export const DISTINCT_TRUCKS = `count(distinct coalesce('vin ' || vin, 'stock ' || stock_number, encode(subject, 'hex')))::int`;

/** Plain columns: the order of the index issues_by_last_seen. */
const NEWEST_FIRST = 'order by i.last_seen_at desc, i.source, i.subject';

/** The place of a key, whose microseconds round no two times to one. */
const AFTER = `timestamptz 'epoch' + $7::bigint * interval '1 microsecond'`;

const LIST: Statement = {
  text: `
    select json_build_object('source', i.source, 'vin', i.vin, 'stock_number', i.stock_number, 'dealer', i.dealer,
        'code', i.code, 'field', i.field, 'received', i.received, 'fix', i.fix, 'times', i.times,
        'first_seen_at', ${iso('i.first_seen_at')}, 'last_seen_at', ${iso('i.last_seen_at')}) as issue,
      (extract(epoch from i.last_seen_at) * 1000000)::bigint || ':' || i.source || ':' || encode(i.subject, 'hex') as key
    from issues i
    where i.account_id = $1 and ${MATCHES} and i.last_seen_at <= coalesce(${AFTER}, 'infinity')
      and ($7::text is null or i.last_seen_at < ${AFTER} or (i.source, i.subject) > ($8::text, decode($9, 'hex')))
    ${NEWEST_FIRST} limit $10::int`,
};

/** Of the newest that match: an account may have more than are kept until others are written. */
const GROUPS: Statement = {
  text: `
    with newest as (
      select i.code, i.field, i.fix, i.last_seen_at, i.vin, i.stock_number, i.subject from issues i where i.account_id = $1 and ${MATCHES}
      ${NEWEST_FIRST} limit $7::int
    )
    select code, field, ${DISTINCT_TRUCKS} as count, (array_agg(fix order by last_seen_at desc))[1] as fix
    from newest group by code, field order by 3 desc, code, field`,
};

/** One issue by source and subject, or all of a code and field. */
const SET_LEFT_OUT: Statement = {
  text: `
    with changed as (
      update issues set left_out_at = case when $6::boolean then moment.at end from ${START_MOMENT}
      where account_id = $1 and ($2::text is null or source = $2) and ($3::text is null or subject = decode($3, 'hex'))
        and ($4::text is null or code = $4 and field is not distinct from $5) and (left_out_at is null) = $6::boolean
      returning vin, stock_number, subject
    )
    select ${DISTINCT_TRUCKS} as trucks from changed`,
};

/** What a feed rejected stays while the feed is pulled: its file may be the same for long. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    /* all accounts */ delete from issues i where last_seen_at < now() - make_interval(days => $1::int)
      and not exists (select 1 from feeds f where f.account_id = i.account_id and f.id = i.source and f.enabled)
    returning 1 as one`,
};

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
const CLOSED = `json_array_elements_text($5::json) as c(key) join issues i on i.account_id = $1
          and i.source = split_part(c.key, ':', 1) and i.subject = decode(split_part(c.key, ':', 2), 'hex')`;

/** Opens and closes issues of a source, in the order of subjects, as all do. */
export async function writeIssues(
  db: Sql,
  accountId: string,
  { open, close }: IssueChanges,
  { id, runNo }: RecordSource,
): Promise<void> {
  const opened = open.length === 0 ? null : JSON.stringify(open, clean);
  await db.query(WRITE, [accountId, id, runNo, opened, JSON.stringify(close)]);
}

/**
 * A write that opens issues deletes the oldest beyond those that an account keeps, but none that it opens itself. That
 * stands first, since Postgres runs the parts that nothing reads in reverse. Another source's issue that is being written
 * stays: waiting for it could end in a deadlock.
 */
const WRITE: Statement = {
  role: 'ingest',
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
