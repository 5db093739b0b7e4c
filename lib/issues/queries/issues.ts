import { START_MOMENT } from '../../db/connection/moments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { Issue, IssueFilters, IssueGroup, Issues } from '../port.ts';
import { ISSUE_LIMITS } from '../schemas.ts';

/** What is not listed now. Batches write it themselves (issue-writes.ts). */
export function postgresIssues(sql: Sql): Issues {
  return {
    of: (accountId) => ({
      async list(filters, { limit, after }) {
        const [seen, source, subject] = after?.split(':') ?? [];
        const place = [seen ?? null, source ?? null, subject ?? null];
        const rows = await sql.query<{ issue: Issue; key: string }>(LIST, [
          accountId,
          ...toParams(filters),
          ...place,
          limit,
        ]);
        return rows.map(({ issue, key }) => ({ ...issue, key }));
      },
      groups: (filters) =>
        sql.query<IssueGroup>(GROUPS, [accountId, ...toParams(filters), ISSUE_LIMITS.perAccount]),
      async setLeftOut(filters, isLeftOut) {
        const { source, subject, code, field } = filters;
        const values = [accountId, source, subject, code, field, isLeftOut];
        const [row] = await sql.query<{ trucks: number }>(SET_LEFT_OUT, values);
        return row?.trucks ?? 0;
      },
    }),
    async sweep(days, maxPerAccount) {
      const [old] = await sql.query<{ swept: number }>(SWEEP, [days]);
      const [surplus] = await sql.query<{ swept: number }>(SWEEP_SURPLUS, [maxPerAccount]);
      return (old?.swept ?? 0) + (surplus?.swept ?? 0);
    },
  };
}

const toParams = ({ source, code, dealer, vin, leftOut }: IssueFilters) => [
  source,
  code,
  dealer,
  vin,
  leftOut,
];

const MATCHES = `($2::text is null or i.source = $2) and ($3::text is null or i.code = $3)
      and ($4::text is null or i.dealer = $4) and ($5::text is null or i.vin = $5)
      and (i.left_out_at is not null) = $6::boolean`;

/** A truck that several sources have wrong is one: by its VIN, whole or not, else by its stock number, as issues end. */
export const DISTINCT_TRUCKS = `count(distinct coalesce('vin ' || vin, 'stock ' || stock_number, encode(subject, 'hex')))::int`;

/** Plain columns: the order of the index issues_by_last_seen. */
const NEWEST_FIRST = 'order by i.last_seen_at desc, i.source, i.subject';

/** The place of a key, whose microseconds round no two times to one. */
const AFTER = `timestamptz 'epoch' + $7::bigint * interval '1 microsecond'`;

export const LIST: Statement = {
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

/** Of the newest that match: an account may have more than are kept until housekeeping sweeps them. */
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

/** Across all accounts. What a feed rejected stays while the feed is pulled: its file may be the same for long. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    /* all accounts */ with swept as (
      delete from issues i where last_seen_at < now() - make_interval(days => $1::int)
        and not exists (select 1 from feeds f where f.account_id = i.account_id and f.id = i.source and f.enabled)
      returning 1
    )
    select count(*)::int as swept from swept`,
};

/** Across all accounts: of each all but the newest. */
const SWEEP_SURPLUS: Statement = {
  role: 'job',
  text: `
    /* all accounts */ with crowded as (
      select account_id from issues group by account_id having count(*) > $1::int
    ), ranked as (
      select i.account_id, i.source, i.subject,
        row_number() over (partition by i.account_id order by i.last_seen_at desc, i.subject) as place
      from crowded c join issues i on i.account_id = c.account_id
    ), swept as (
      delete from issues i using ranked r
      where r.place > $1::int and i.account_id = r.account_id and i.source = r.source and i.subject = r.subject
      returning 1
    )
    select count(*)::int as swept from swept`,
};
