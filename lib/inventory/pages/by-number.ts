import { html } from 'hono/html';
import { toQuery } from '../../dashboard/parts/links.ts';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import type { Context } from '../../http/context.ts';
import type { Html } from '../../http/pages/page.ts';
import { findIssues } from '../../issues/issues.ts';
import { findByNumber } from '../../search/find-by-number.ts';
import { foldKey } from '../../truck/text/text.ts';
import type { TruckSummary } from './truck-table.ts';

type Issue = Awaited<ReturnType<typeof findIssues>>[number];

/** Trucks of every state that have a word of the search as VIN, as its last eight, or as stock number. */
export async function findNumbered(ctx: Context, query: string) {
  const words = query.split(/[\s,;]+/).filter((word) => /\d/.test(word));
  if (words.length === 0) return { listings: [], issues: [], missing: [] };
  // A stock number may have blanks.
  const numbers = [query, ...words];
  const keys = numbers.map(foldKey);
  const [text, issues] = await Promise.all([findByNumber(ctx, numbers), findIssues(ctx, numbers)]);
  const listings = (JSON.parse(text) as TruckSummary[]).filter((truck) =>
    toKeys(truck).some((key) => keys.includes(key)),
  );
  const foundKeys = [...listings, ...issues].flatMap(toKeys);
  return {
    listings,
    issues,
    missing: foundKeys.includes(foldKey(query))
      ? []
      : words.filter((word) => !foundKeys.includes(foldKey(word))),
  };
}

const toKeys = ({ vin, stock_number }: Pick<Issue, 'vin' | 'stock_number'>) =>
  [vin, vin?.slice(-8), stock_number].map((number) => foldKey(number ?? ''));

/** Why these trucks were rejected, each with a link to its issue. */
export const issueNotes = (issues: readonly Issue[]): Html =>
  html`${issues.map(({ vin, stock_number, code, fix, left_out }) => {
    const number = vin ?? stock_number ?? '';
    return html`<p class="warn"><code>${number}</code> was rejected. ${describeFix(code, fix)} <a href="/dashboard/issues${toQuery({ vin: number, left_out: left_out ? 'true' : undefined })}">See the issue</a></p>`;
  })}`;
