import { html } from 'hono/html';
import * as z from 'zod/mini';
import { buttonForm } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { describeFix, describeReject } from '../../dashboard/parts/reject-reasons.ts';
import { count, empty } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { Cursor } from '../../truck/json.ts';
import { labelFor } from '../../truck/record/record.ts';
import { exportIssues, groupIssues, listIssuesWithKeys, markIssues } from '../issues.ts';
import type { IssueGroup } from '../queries.ts';
import { issueTable } from './issue-table.ts';

const PATH = '/dashboard/issues';
const Word = z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be one word')));
const Query = z.object({
  code: Word,
  source: Word,
  file: Word,
  left_out: z.optional(z.literal('true')),
  cursor: Cursor,
});
type Filters = Omit<z.output<typeof Query>, 'file' | 'cursor'>;

/** One issue by its key, or a group by its code and field. */
const Choice = z.object({
  issue: z.optional(
    z.string().check(z.regex(/^\d{1,18}:[\w-]{1,80}:[0-9a-f]{64}$/, 'must be an issue of this page')),
  ),
  code: Word,
  source: Word,
  field: z.optional(z.string().check(z.regex(/^[\w.-]{1,100}$/, 'must be a field'))),
});

/** Each row has a hash that nothing compresses; 25 fit in a page of 6 kB. */
const PAGE = 25;

/** What is not listed now, by what to change. */
export const issues = page({
  query: Query,
  notices: {
    leave_out: 'Left out. You see it here again when what you send of the truck changes.',
    list_again: 'Back among the issues.',
  },
  async show({ ctx, query }) {
    const { cursor, file, ...filters } = query;
    const narrowed = { ...filters, left_out: filters.left_out !== undefined };
    if (file === 'csv')
      return {
        filename: 'issues.csv',
        type: 'text/csv; charset=utf-8',
        body: await exportIssues(ctx, narrowed),
      };
    const groups = await groupIssues(ctx, narrowed);
    const found = await listIssuesWithKeys(ctx, { ...narrowed, cursor, limit: PAGE });
    return {
      title: 'Issues',
      main: html`${tabs(filters)}${groups.length === 0 ? nothing(filters) : listed(groups, found, filters)}`,
    };
  },
  actions: { leave_out: mark('leave_out'), list_again: mark('list_again') },
});

function mark(action: 'leave_out' | 'list_again') {
  type Call = PageCall<undefined, z.output<typeof Query>> & { form: z.output<typeof Choice> };
  return {
    form: Choice,
    async run({ ctx, query, form }: Call) {
      const [, source, subject] = form.issue?.split(':') ?? [];
      const { code = null, field = null } = form;
      if (subject === undefined && code === null)
        throw new ApiError('INVALID_PAYLOAD', 'Choose a truck first.');
      await markIssues(ctx, action, {
        source: source ?? form.source ?? null,
        subject: subject ?? null,
        code,
        field,
      });
      const { left_out, source: shown } = query;
      // A group that was left out as a whole is not there to be shown.
      const { code: narrowed } = form.issue === undefined ? {} : query;
      return { to: PATH + toQuery({ code: narrowed, source: shown, left_out }), done: action };
    },
  };
}

function tabs({ left_out }: Filters): Html {
  const link = (label: string, query: string, isCurrent: boolean) =>
    html`<li><a href="${PATH}${query}"${isCurrent ? html` aria-current="page"` : ''}>${label}</a></li>`;
  return html`<ul class="tabs">${link('Not listed', '', !left_out)}${link('Left out', '?left_out=true', !!left_out)}</ul>`;
}

type Found = Awaited<ReturnType<typeof listIssuesWithKeys>>;

function listed(groups: IssueGroup[], found: Found, filters: Filters): Html {
  const { code, left_out } = filters;
  const action = left_out ? 'list_again' : 'leave_out';
  return html`<p>${left_out ? 'You left these trucks out. They come back by themselves when what you send of them changes.' : html`What was sent is not kept. Correct these trucks in your own system, or in your file and <a href="/dashboard/upload">upload</a> it again. As soon as a truck is listed, from whatever source, it leaves this page. What should never be listed, such as a car, you can leave out.`}</p>
<ul class="groups">${groups.map((group) => groupCard(group, filters, action))}</ul>
<section><h2>${code === undefined ? 'All trucks' : html`Trucks: ${describeReject(code).title}`}</h2>
<p class="actions">${code === undefined ? '' : html`<a href="${PATH}${toQuery({ ...filters, code: undefined })}">Show all</a>`}
<a class="button" href="${PATH}${toQuery({ ...filters, file: 'csv' })}">Save this list as CSV</a></p>
${issueTable(found.issues, action)}${nextPage(PATH, filters, found.next_cursor)}</section>`;
}

function nothing({ code, source, left_out }: Filters): Html {
  if (code !== undefined || source !== undefined)
    return html`<p>No truck here any more. <a href="${PATH}">Show all issues</a></p>`;
  if (left_out) return empty('Nothing is left out', 'What you leave out of the issues stands here.');
  return empty(
    'Nothing is wrong',
    'Every truck that you sent is listed. One that cannot be listed appears here, with what to change.',
  );
}

function groupCard(
  group: IssueGroup,
  { source, left_out }: Filters,
  action: 'leave_out' | 'list_again',
): Html {
  const { code, field, count: trucks, fix } = group;
  const { title, why } = describeReject(code);
  const label = left_out ? 'Put them back' : 'Leave them out';
  const confirm = left_out
    ? {}
    : { confirm: `Hide ${count(trucks, 'truck')} until what you send of them changes?` };
  const chosen = { code, ...(field === null ? {} : { field }), ...(source === undefined ? {} : { source }) };
  return html`<li class="card"><h2><a href="${PATH}${toQuery({ source, left_out, code })}">${count(trucks, 'truck')}: ${title}</a></h2>
${why === '' ? '' : html`<p>${why}</p>`}<p class="hint">${field === null ? '' : html`Field: ${labelFor(field)}. `}${describeFix(code, fix)}</p>
${buttonForm(action, label, chosen, { look: 'link', ...confirm })}</li>`;
}
