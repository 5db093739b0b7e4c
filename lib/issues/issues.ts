import type * as z from 'zod/mini';
import { audited } from '../accounts/audited.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { startPage, toPage } from '../http/keyset.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import { type IssueChoice, type IssueFilters, readIssueGroups, readIssues, setLeftOut } from './queries.ts';
import { ISSUE_LIMITS, type IssuesQuery } from './schemas.ts';

/** What is not listed now, and why. */

type IssuesInput = z.output<typeof IssuesQuery>;
type Narrowing = Partial<Pick<IssuesInput, 'source' | 'code' | 'dealer' | 'vin' | 'left_out'>>;

/** Microseconds of when it was seen last, source and subject. */
const KEY = /^\d{1,18}:[\w-]{1,80}:(?:[0-9a-f]{2}){1,64}$/;

/** The account's issues, seen last first, each with the key of its place. */
export async function listIssuesWithKeys(
  ctx: Context,
  query: Narrowing & Pick<IssuesInput, 'limit' | 'cursor'>,
) {
  const page = startPage(query, KEY);
  const issues = await readIssues(ctx.ports.db, requireAccount(ctx).id, toFilters(ctx, query), page);
  const { items, next_cursor } = toPage(issues, query.limit, ({ key }) => key);
  ctx.note({ issues: items.length });
  return { issues: items, next_cursor };
}

/** The same as the API answers it. */
export async function listIssues(ctx: Context, query: IssuesInput) {
  const { issues, next_cursor } = await listIssuesWithKeys(ctx, query);
  return { issues: issues.map(({ key, left_out, ...issue }) => issue), next_cursor };
}

const COLUMNS = [
  'vin',
  'stock_number',
  'dealer',
  'source',
  'code',
  'field',
  'received',
  'fix',
  'times',
  'first_seen_at',
  'last_seen_at',
] as const;

/** All issues that match as CSV, in pieces, with the byte order mark by which spreadsheets know UTF-8. */
export async function* exportIssues(ctx: Context, query: Narrowing): AsyncIterable<string> {
  const csv = await safeCsv();
  yield `\uFEFF${csv([COLUMNS])}`;
  const page = { limit: ISSUE_LIMITS.perAccount, after: null };
  const issues = await readIssues(ctx.ports.db, requireAccount(ctx).id, toFilters(ctx, query), page);
  yield csv(issues.map((issue) => COLUMNS.map((name) => String(issue[name] ?? ''))));
}

/** Issues of the trucks with these VINs, last eights, last sixes or stock numbers, and whether a person left them out. */
export function findIssues(ctx: Context, numbers: readonly string[]) {
  const page = { limit: 100, after: null };
  return readIssues(ctx.ports.db, requireAccount(ctx).id, { numbers: numbers.map(normaliseVin) }, page);
}

/** Issues of one code and field together, the largest group first. */
export const groupIssues = (ctx: Context, query: Narrowing) =>
  readIssueGroups(ctx.ports.db, requireAccount(ctx).id, toFilters(ctx, query));

/** Another dealer's for a key that reaches one dealer only are nobody's. */
function toFilters(ctx: Context, { vin, left_out = false, ...query }: Narrowing): IssueFilters {
  const onlySlug = onlyDealer(ctx);
  const dealer = query.dealer ?? onlySlug;
  return {
    ...query,
    dealer: onlySlug !== null && dealer !== onlySlug ? '' : dealer,
    numbers: vin ? [normaliseVin(vin)] : null,
    left_out,
  };
}

/**
 * Takes what is not to be listed at all, such as a car, off the issues until what is sent of it changes, or puts it back.
 * Throws NOT_FOUND when nothing is as the person saw it.
 */
export async function markIssues(ctx: Context, action: 'leave_out' | 'list_again', choice: IssueChoice) {
  const toAct = (trucks: number) => ({
    action: `issue.${action}`,
    target: trucks === 1 ? '1 truck' : `${trucks} trucks`,
    detail: { code: choice.code },
  });
  await audited(ctx, toAct, async ({ ports }) => {
    const trucks = await setLeftOut(ports.db, requireAccount(ctx).id, choice, action === 'leave_out');
    if (trucks === 0) throw notFound('issue');
    return trucks;
  });
}
