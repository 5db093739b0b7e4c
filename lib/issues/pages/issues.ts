import { html } from 'hono/html';
import * as z from 'zod/mini';
import { buttonForm, hiddenFields } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { describeFix, describeReject } from '../../dashboard/parts/reject-reasons.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, day, empty, truckNumbers } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { type PageCall, page } from '../../http/pages/page.ts';
import { CSV } from '../../http/safe-csv.ts';
import { Cursor } from '../../truck/json.ts';
import { labelFor } from '../../truck/record/record.ts';
import { exportIssues, groupIssues, listIssuesWithKeys, markIssues } from '../issues.ts';
import type { IssueGroup } from '../queries.ts';
import { IssuesQuery } from '../schemas.ts';

const PATH = '/dashboard/issues';
const { code, source, vin } = IssuesQuery.shape;
const Query = z.object({
  code,
  source,
  vin,
  left_out: z.optional(z.literal('true')),
  cursor: Cursor,
  file: z.optional(z.literal('csv')),
});
type Filters = Pick<z.output<typeof Query>, 'code' | 'source' | 'vin' | 'left_out'>;

/** One issue by its key, or a group by its code and field. */
const Choice = z.object({
  issue: z.optional(
    z.string().check(z.regex(/^\d{1,18}:[\w-]{1,80}:[0-9a-f]{64}$/, 'must be an issue of this page')),
  ),
  code,
  source,
  field: z.optional(z.string().check(z.regex(/^[\w.-]{1,100}$/, 'must be a field'))),
});
type Action = 'leave_out' | 'list_again';

/** Each row has a hash that nothing compresses; 25 fit in a page of 6 kB. */
const PAGE = 25;

/** Rejected trucks, by what to change. */
export default page({
  query: Query,
  notices: {
    leave_out: 'Left out. It returns if it is rejected for another reason.',
    list_again: 'Back among the issues.',
  },
  async show({ ctx, query: { cursor, file, ...filters } }) {
    const narrowed = { ...filters, left_out: filters.left_out !== undefined };
    if (file !== undefined) {
      const body = exportIssues(ctx, narrowed);
      return { filename: 'issues.csv', type: CSV, body };
    }
    const groups = await groupIssues(ctx, narrowed);
    const part = await listIssuesWithKeys(ctx, { ...narrowed, cursor, limit: PAGE });
    return {
      title: 'Issues',
      main: html`<ul class="tabs">${tab('Rejected', '', !filters.left_out)}${tab('Left out', '?left_out=true', !!filters.left_out)}</ul>
${groups.length === 0 ? nothing(filters) : list(groups, part, filters)}`,
    };
  },
  actions: { leave_out: mark('leave_out'), list_again: mark('list_again') },
});

function mark(action: Action) {
  type Call = PageCall<undefined, z.output<typeof Query>> & { form: z.output<typeof Choice> };
  return {
    form: Choice,
    async run({ ctx, query: { cursor, file, ...filters }, form }: Call) {
      const { issue = '', source = null, code = null, field = null } = form;
      const [, from = source, subject = null] = issue.split(':');
      if (subject === null && code === null) throw new ApiError('INVALID_PAYLOAD', 'Choose a truck first.');
      await markIssues(ctx, action, { source: from, subject, code, field });
      return { to: PATH + toQuery(filters), done: action };
    },
  };
}

const tab = (label: string, query: string, isCurrent: boolean) =>
  html`<li><a href="${PATH}${query}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`;

const nothing = (filters: Filters) =>
  toQuery(filters) === ''
    ? empty(
        'Nothing is wrong',
        'Every truck that you sent is listed. One that cannot be listed appears here, with what to change.',
      )
    : html`<p>No truck here. <a href="${PATH}">Show all issues</a></p>`;

type Part = Awaited<ReturnType<typeof listIssuesWithKeys>>;

function list(groups: IssueGroup[], { issues, next_cursor }: Part, filters: Filters) {
  const { code, left_out } = filters;
  return html`<p>${left_out ? 'You left these trucks out. Each comes back if it is rejected for another reason.' : html`A truck may have more faults than the one that is shown: its run or upload names the other fields. What was sent is not kept. Correct these trucks in your own system, or in your file and <a href="/dashboard/upload">upload</a> it again. As soon as a truck is listed, from whatever source, it leaves this page. Leave out what should never be listed, such as a car. A truck sent without a whole VIN and without a stock number stays here after you correct it: leave it out, too.`}</p>
<ul class="groups">${filters.vin === undefined && groups.map((group) => groupCard(group, filters))}</ul>
<section><h2>${code === undefined ? 'All trucks' : html`Trucks: ${describeReject(code)}`}</h2>
<p class="actions">${(code || filters.vin) && html`<a href="${PATH}${toQuery({ ...filters, code: undefined, vin: undefined })}">Show all</a>`}
<a class="button" href="${PATH}${toQuery({ ...filters, file: 'csv' })}">Save this list as CSV</a></p>
${issueTable(issues, left_out ? 'list_again' : 'leave_out')}${nextPage(PATH, filters, next_cursor)}</section>`;
}

function groupCard({ code, field, count: trucks, fix }: IssueGroup, { source, left_out }: Filters) {
  const group = { code, ...(field && { field }), ...(source && { source }) };
  const confirm = `Hide ${count(trucks, 'truck')} until rejected for another reason?`;
  return html`<li class="card"><h2><a href="${PATH}${toQuery({ source, left_out, code })}">${count(trucks, 'truck')}: ${describeReject(code)}</a></h2>
<p class="hint">${field && html`Field: ${labelFor(field)}. `}For example: ${describeFix(code, fix)}</p>
${left_out ? buttonForm('list_again', 'Put them back', group, { look: 'link' }) : buttonForm('leave_out', 'Leave them out', group, { look: 'link', confirm })}</li>`;
}

/** Rejected trucks, each with the button that leaves it out, or puts it back. */
function issueTable(issues: Part['issues'], action: Action) {
  const label = action === 'leave_out' ? 'Leave it out' : 'Put it back';
  const rows = issues.map(({ vin, stock_number, code, fix, received, source, times, last_seen_at, key }) => [
    truckNumbers(vin, stock_number),
    describeFix(code, fix),
    received === null ? '' : html`<code>${String(received)}</code>`,
    SOURCES[source] ?? html`<a href="/dashboard/feeds/${source}">Feed</a>`,
    times,
    day(last_seen_at),
    html`<button class="link" name="issue" value="${key}">${label}</button>`,
  ]);
  const leaveOut = { label: 'Leave out', isHidden: true as const };
  const columns = ['Truck', 'What to change', 'You sent', 'From', numeric('Times'), 'Last seen', leaveOut];
  return html`<form method="post">${hiddenFields({ action })}${table('Rejected trucks', columns, rows)}</form>`;
}

const SOURCES: Readonly<Record<string, string>> = { api: 'Your system', upload: 'Upload' };
