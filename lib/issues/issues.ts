import { type Context, onlyDealer, requireAccount } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/page.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import type { Issue, IssueFilters } from './port.ts';
import { ISSUE_LIMITS } from './schemas.ts';

/** What is not listed now, and why. */

interface IssuesInput {
  source?: string | undefined;
  code?: string | undefined;
  dealer?: string | undefined;
  vin?: string | undefined;
  left_out?: boolean | undefined;
}

/** Microseconds of when it was seen last, source and subject. */
const KEY = /^\d{1,18}:[\w-]{1,80}:(?:[0-9a-f]{2}){1,64}$/;

/** The account's issues, seen last first, each with the key of its place. */
export async function listIssuesWithKeys(ctx: Context, { limit, cursor, ...query }: IssuesInput & PageInput) {
  const filters = toFilters(ctx, query);
  const page = startPage({ limit, cursor }, KEY);
  const found = filters === null ? [] : await ctx.ports.issues.of(requireAccount(ctx).id).list(filters, page);
  const { items, next_cursor } = toPage(found, limit, ({ key }) => key);
  ctx.note({ issues: items.length });
  return { issues: items, next_cursor };
}

/** The same as the API answers it. */
export async function listIssues(ctx: Context, input: IssuesInput & PageInput) {
  const { issues, next_cursor } = await listIssuesWithKeys(ctx, input);
  return { issues: issues.map(({ key, ...issue }) => issue), next_cursor };
}

const COLUMNS = [
  ...(['vin', 'stock_number', 'dealer', 'source', 'code', 'field', 'received', 'fix', 'times'] as const),
  ...(['first_seen_at', 'last_seen_at'] as const),
];
/** Issues read at a time. */
const PART = 1_000;

/** All issues that match as CSV, in pieces, with the byte order mark by which spreadsheets know UTF-8. */
export async function exportIssues(ctx: Context, query: IssuesInput): Promise<AsyncIterable<string>> {
  const filters = toFilters(ctx, query);
  const csv = await safeCsv();
  const issues = ctx.ports.issues.of(requireAccount(ctx).id);
  async function* text() {
    yield `\uFEFF${csv([COLUMNS])}`;
    let after: string | null = null;
    for (let read = 0; filters !== null && read < ISSUE_LIMITS.perAccount; read += PART) {
      const part = await issues.list(filters, { limit: PART, after });
      if (part.length > 0) yield csv(part.map(toRow));
      if (part.length < PART) return;
      after = part.at(-1)?.key ?? null;
    }
  }
  return text();
}

function toRow(issue: Issue): string[] {
  return COLUMNS.map((name) => {
    const value = issue[name];
    return value === null || value === undefined ? '' : String(value);
  });
}

/** Null: another dealer's, for a key that reaches one dealer only. */
function toFilters(ctx: Context, { source, code, dealer, vin, left_out }: IssuesInput): IssueFilters | null {
  const only = onlyDealer(ctx);
  if (only !== null && dealer !== undefined && dealer !== only) return null;
  return {
    source: source ?? null,
    code: code ?? null,
    dealer: dealer ?? only,
    vin: vin === undefined ? null : normaliseVin(vin),
    leftOut: left_out ?? false,
  };
}

/** Issues of one code and field together, the largest group first. */
export async function groupIssues(ctx: Context, query: IssuesInput) {
  const filters = toFilters(ctx, query);
  return filters === null ? [] : ctx.ports.issues.of(requireAccount(ctx).id).groups(filters);
}
