import type * as z from 'zod/mini';
import { iso, START_MOMENT } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';
import { DISTINCT_TRUCKS } from './distinct-trucks.ts';
import { ISSUE_LIMITS, type IssueAnswer } from './schemas.ts';

/** Absent: any; `left_out`: only what a person left out, or only what nobody did. */
export interface IssueFilters
  extends Partial<Record<'source' | 'code' | 'dealer', string | null | undefined>> {
  /** VINs, last eights, last sixes and stock numbers, in capitals without blanks and dashes. */
  numbers?: readonly string[] | null;
  left_out?: boolean | undefined;
}

const toParams = ({ source, code, dealer, numbers, left_out }: IssueFilters) => [
  ...[source, code, dealer, numbers].map((value) => value ?? null),
  left_out ?? null,
];

/** The issues seen last first, each with the key of its place; from behind the key `after`. */
export async function readIssues(
  db: Sql,
  accountId: string,
  filters: IssueFilters,
  { limit, after }: { limit: number; after: string | null },
) {
  const [seenAt = null, source = null, subject = null] = after?.split(':') ?? [];
  const values = [accountId, ...toParams(filters), seenAt, source, subject, limit];
  const rows = await db.query<{ issue: z.output<typeof IssueAnswer>; key: string; left_out: boolean }>(
    LIST,
    values,
  );
  return rows.map(({ issue, ...place }) => ({ ...issue, ...place }));
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
) {
  const values = [accountId, source, subject, code, field, isLeftOut];
  const [row] = await db.query<{ trucks: number }>(SET_LEFT_OUT, values);
  return row?.trucks ?? 0;
}

/** Forgets what was not seen for 30 days; returns how many. What is beyond those kept goes when others are written. */
export const sweepIssues = async (db: Sql) => (await db.query(SWEEP, [ISSUE_LIMITS.days])).length;

const MATCHES = `($2::text is null or i.source = $2) and ($3::text is null or i.code = $3)
      and ($4::text is null or i.dealer = $4) and ($5::text[] is null or array[i.vin, right(i.vin, 8), right(i.vin, 6), translate(upper(i.stock_number), ' -', '')] && $5)
      and ($6::boolean is null or (i.left_out_at is not null) = $6)`;

/** Plain columns: the order of the index issues_by_last_seen. */
const NEWEST_FIRST = 'order by i.last_seen_at desc, i.source, i.subject';

/** The place of a key, whose microseconds round no two times to one. */
const AFTER = `timestamptz 'epoch' + $7::bigint * interval '1 microsecond'`;

const LIST: Statement = {
  text: `
    select json_build_object('source', i.source, 'vin', i.vin, 'stock_number', i.stock_number, 'dealer', i.dealer,
        'code', i.code, 'field', i.field, 'received', i.received, 'fix', i.fix, 'times', i.times,
        'first_seen_at', ${iso('i.first_seen_at')}, 'last_seen_at', ${iso('i.last_seen_at')}) as issue,
      (extract(epoch from i.last_seen_at) * 1000000)::bigint || ':' || i.source || ':' || encode(i.subject, 'hex') as key, i.left_out_at is not null as left_out
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
  timeout: 'job',
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
