import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Cursor } from '../../contract/json.ts';
import { labelFor } from '../../contract/record/record.ts';
import { type Html, page } from '../../http/pages/page.ts';
import type { IssueGroup } from '../../ports/issues/issues.ts';
import { exportIssues, groupIssues, listIssues } from '../../services/issues/issues.ts';
import { nextPage, toQuery } from '../parts/links.ts';
import { describeFix, describeReject } from '../parts/reject-reasons.ts';
import { table } from '../parts/table.ts';
import { count, empty, moment } from '../parts/text.ts';

const Word = z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be one word')));
const Query = z.object({
  ...{ code: Word, source: Word, file: Word },
  cursor: Cursor,
});
type IssuesQuery = z.output<typeof Query>;

const PAGE = 50;

/** What is not listed now, by what to change. */
export const issues = page({
  query: Query,
  async show({ ctx, query }) {
    const { code, source, cursor, file } = query;
    if (file === 'csv')
      return {
        filename: 'issues.csv',
        type: 'text/csv; charset=utf-8',
        body: await exportIssues(ctx, { code, source }),
      };
    const groups = await groupIssues(ctx, { source });
    if (groups.length === 0)
      return {
        title: 'Issues',
        main:
          source === undefined
            ? nothing()
            : html`<p>No issues from this source. <a href="/dashboard/issues">Show all</a></p>`,
      };
    const found = await listIssues(ctx, { code, source, cursor, limit: PAGE });
    return {
      title: 'Issues',
      main: html`<p>These trucks are not listed. Correct them in your own system: the next upload or feed brings them in, and they leave this page.</p>
<ul class="groups">${groups.map((group) => groupCard(group, query))}</ul>
<section><h2>${code === undefined ? 'All trucks with an issue' : html`Trucks: ${describeReject(code).title}`}</h2>
<p class="actions">${code === undefined ? '' : html`<a href="/dashboard/issues">Show all</a>`}
<a class="button" href="/dashboard/issues${toQuery({ code, source, file: 'csv' })}">Save as CSV</a></p>
${issueTable(found.issues)}${nextPage('/dashboard/issues', { code, source }, found.next_cursor)}</section>`,
    };
  },
});

const nothing = () =>
  empty(
    'Nothing is wrong',
    'Every truck that you sent is listed. One that cannot be listed appears here, with what to change.',
  );

function groupCard({ code, field, count: trucks, fix }: IssueGroup, query: IssuesQuery): Html {
  const { title, why } = describeReject(code);
  return html`<li class="card"><h2><a href="/dashboard/issues${toQuery({ source: query.source, code })}">${count(trucks, 'truck')}: ${title}</a></h2>
${why === '' ? '' : html`<p>${why}</p>`}<p class="hint">${field === null ? '' : html`Field: ${labelFor(field)}. `}For example: ${describeFix(field, fix)}</p></li>`;
}

type Listed = Awaited<ReturnType<typeof listIssues>>['issues'];

function issueTable(listed: Listed): Html {
  return table(
    'Trucks that are not listed',
    [
      { label: 'Truck' },
      { label: 'What to change' },
      { label: 'You sent' },
      { label: 'From' },
      { label: 'Times seen', isNumber: true },
      { label: 'Last seen' },
    ],
    listed.map(({ vin, stock_number, field, fix, received, source, times, last_seen_at }) => [
      html`<code>${vin ?? 'no VIN'}</code>${stock_number === null ? '' : html` <small>stock ${stock_number}</small>`}`,
      describeFix(field, fix),
      received === null ? '' : html`<code>${String(received)}</code>`,
      sourceLink(source),
      times,
      moment(last_seen_at),
    ]),
  );
}

function sourceLink(source: string): Html | string {
  if (source === 'api') return 'Your system';
  return source === 'upload' ? 'Upload' : html`<a href="/dashboard/feeds/${source}">Feed</a>`;
}
