import { html } from 'hono/html';
import { hidden } from '../../dashboard/parts/form.ts';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { day } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { hasVinLength } from '../../truck/vin/vin.ts';
import type { listIssuesWithKeys } from '../issues.ts';

type Listed = Awaited<ReturnType<typeof listIssuesWithKeys>>['issues'];

/** Trucks that are not listed, each with the button that leaves it out, or puts it back. */
export function issueTable(listed: Listed, action: 'leave_out' | 'list_again'): Html {
  const label = action === 'leave_out' ? 'Leave it out' : 'Put it back';
  const rows = listed.map(({ vin, stock_number, code, fix, received, source, times, last_seen_at, key }) => [
    html`<code>${vin ?? 'no VIN'}</code>${stock_number === null ? '' : html` <small>stock ${stock_number}</small>`}`,
    html`${describeFix(code, fix)}${isUnknown({ vin, stock_number }) ? html` <small>Then leave this one out: without a stock number nothing says that it is the same truck.</small>` : ''}`,
    received === null ? '' : html`<code>${String(received)}</code>`,
    sourceLink(source),
    times,
    day(last_seen_at),
    html`<button class="link" name="issue" value="${key}">${label}</button>`,
  ]);
  return html`<form method="post">${hidden({ action })}${table(
    'Trucks that are not listed',
    [
      'Truck',
      'What to change',
      'You sent',
      'From',
      numeric('Times'),
      'Last seen',
      { label: 'Leave out', isHidden: true },
    ],
    rows,
  )}</form>`;
}

/** True of a truck that is not recognized once its VIN is mended. */
const isUnknown = ({ vin, stock_number }: Pick<Listed[number], 'vin' | 'stock_number'>): boolean =>
  stock_number === null && !hasVinLength(vin ?? '');

function sourceLink(source: string): Html | string {
  if (source === 'api') return 'Your system';
  return source === 'upload' ? 'Upload' : html`<a href="/dashboard/feeds/${source}">Feed</a>`;
}
