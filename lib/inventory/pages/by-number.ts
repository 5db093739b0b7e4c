import { html } from 'hono/html';
import { toQuery } from '../../dashboard/parts/links.ts';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import type { Context } from '../../http/context.ts';
import type { Html } from '../../http/pages/page.ts';
import { findIssues } from '../../issues/issues.ts';
import { findByNumber } from '../../search/find-by-number.ts';
import { normaliseVin } from '../../truck/vin/vin.ts';
import { type TruckSummary, truckTable } from './truck-table.ts';

type Issue = Awaited<ReturnType<typeof findIssues>>[number];
type Numbered = NonNullable<Awaited<ReturnType<typeof findNumbered>>>;

/** Trucks of every status whose VIN, its last eight or six, or stock number is searched for. Null if words are searched for. */
export async function findNumbered(ctx: Context, query: string) {
  const numbers = query.split(/[\s,;#]+/).filter(Boolean);
  if (query === '' || !numbers.every((number) => /\d/.test(number))) return null;
  const [text, issues] = await Promise.all([findByNumber(ctx, numbers), findIssues(ctx, numbers)]);
  const keys = numbers.map(normaliseVin);
  const listings = (JSON.parse(text) as TruckSummary[]).filter((truck) =>
    listNumbers(truck).some((key) => keys.includes(key)),
  );
  const foundKeys = [...listings, ...issues].flatMap(listNumbers);
  const missing = numbers.filter((_, at) => !foundKeys.includes(keys[at] ?? ''));
  return foundKeys.length === 0 ? null : { listings, issues, missing };
}

const listNumbers = ({ vin, stock_number }: Pick<Issue, 'vin' | 'stock_number'>) =>
  [vin, vin?.slice(-8), vin?.slice(-6), stock_number].map((number) => normaliseVin(number ?? ''));

export const numberList = ({ listings, issues, missing }: Numbered, mayChange: boolean): Html =>
  html`${issueNotes(issues)}${listings.length > 0 && truckTable(listings, mayChange)}<p>${missing.map((number) => `No truck has ${number}. `)}</p>`;

/** Why these trucks were rejected, each with a link to its issue. */
export const issueNotes = (issues: readonly Issue[]): Html =>
  html`${issues.map(({ vin, stock_number, code, fix, left_out }) => {
    const number = vin ?? stock_number ?? '';
    return html`<p class="warn"><code>${number}</code> was rejected. ${describeFix(code, fix)} <a href="/dashboard/issues${toQuery({ vin: number, left_out: left_out ? 'true' : undefined })}">See the issue</a></p>`;
  })}`;
