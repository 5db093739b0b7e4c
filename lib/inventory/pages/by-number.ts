import { html } from 'hono/html';
import { toQuery } from '../../dashboard/parts/links.ts';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import type { Context } from '../../http/context.ts';
import type { Html } from '../../http/pages/page.ts';
import { findIssues } from '../../issues/issues.ts';
import { findByNumber } from '../../search/find-by-number.ts';
import { LISTING_STATUSES } from '../../truck/fields.ts';
import { foldKey } from '../../truck/text/text.ts';
import { INVENTORY } from './filters.ts';
import { type TruckSummary, truckTable } from './truck-table.ts';

type Issue = Awaited<ReturnType<typeof findIssues>>[number];
type Numbers = Pick<Issue, 'vin' | 'stock_number'>;
type Numbered = NonNullable<Awaited<ReturnType<typeof findNumbered>>>;

/** The status of a search that looks for words alone. */
export const EVERY_STATUS = LISTING_STATUSES.join(',');

const hasDigit = (text: string) => /\d/.test(text);
/** `STK1234` may be stored as `STK 1234`, which has two words. */
const BEFORE_DIGITS = /^(\p{L}+)(?=\d+$)/u;

/** Trucks of every status whose VIN, its last eight or six, or stock number is searched for. Null if words are searched for. */
export async function findNumbered(ctx: Context, query: string) {
  const texts = query.split(/[,;]/).flatMap((part) => {
    const words = part.split(/\s+/).filter(Boolean);
    // A stock number may have a word beside its digits: `STK 1234`.
    return words.length === 2 && !words.every(hasDigit) ? words.join(' ') : words;
  });
  if (texts.length === 0 || !texts.every(hasDigit)) return null;
  const [listings, issues] = await Promise.all([findListings(ctx, texts), findIssues(ctx, texts)]);
  const listMissing = (rows: Numbers[]) => {
    const keys = rows.flatMap(listNumbers);
    return texts.filter((text) => !keys.includes(foldKey(text)));
  };
  const spaced = listMissing(listings).flatMap((text) =>
    BEFORE_DIGITS.test(text) ? text.replace(BEFORE_DIGITS, '$1 ') : [],
  );
  if (spaced.length > 0) listings.push(...(await findListings(ctx, spaced)));
  const missing = listMissing([...listings, ...issues]);
  return { query, listings, issues, missing, isFound: missing.length < texts.length };
}

async function findListings(ctx: Context, numbers: readonly string[]) {
  const keys = numbers.map(foldKey);
  const listings: TruckSummary[] = JSON.parse(await findByNumber(ctx, numbers));
  return listings.filter((truck) => listNumbers(truck).some((key) => keys.includes(key)));
}

const listNumbers = ({ vin, stock_number }: Numbers) =>
  [vin, vin?.slice(-8), vin?.slice(-6), stock_number].map((number) => foldKey(number ?? ''));

export const numberList = ({ query, listings, issues, missing }: Numbered, mayChange: boolean): Html =>
  html`${issueNotes(issues)}${listings.length > 0 && truckTable(listings, mayChange)}
<p>${missing.map((number) => `No truck has ${number}. `)}<a href="${INVENTORY}${toQuery({ q: query, status: EVERY_STATUS })}">Search for “${query}” as words</a></p>`;

/** Why these trucks were rejected, each with a link to its issue. */
export const issueNotes = (issues: readonly Issue[]): Html =>
  html`${issues.map(({ vin, stock_number, code, fix, left_out }) => {
    const number = vin ?? stock_number ?? '';
    return html`<p class="warn"><code>${number}</code> was rejected. ${describeFix(code, fix)} <a href="/dashboard/issues${toQuery({ vin: number, left_out: left_out ? 'true' : undefined })}">See the issue</a></p>`;
  })}`;
