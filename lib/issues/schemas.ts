import * as z from 'zod/mini';
import { about, flag, IsoTime, Nullable, nameSchema, PageQuery } from '../truck/json.ts';

/** Schemas of /v1/issues. */

/** Kept at most, and for how long after an issue was last seen. */
export const ISSUE_LIMITS = { perAccount: 10_000, days: 30 } as const;

const Word = z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be one word'));

export const IssuesQuery = z.strictObject({
  source: z.optional(about(Word, 'Only of this source: `api`, `upload`, or the id of a feed.', 'api')),
  code: z.optional(about(Word, 'Only with this code.', 'DUAL_USE_QUARANTINED')),
  dealer: z.optional(about(Word, 'Only records that name this dealer: a slug.', 'lone-star-trucks')),
  vin: z.optional(
    about(
      z.string().check(z.regex(/^[\x20-\x7e]{1,40}$/, 'must be a VIN or a stock number')),
      'Only of this truck: its VIN, the last eight or six of it, or its stock number.',
      '1FD0W5HT7NED58552',
    ),
  ),
  left_out: z.optional(
    about(flag, '`true`: only what a person left out in the dashboard; else only the others.', false),
  ),
  format: z.optional(
    about(
      z.enum(['json', 'csv']),
      '`csv` for spreadsheets: all issues that match, up to 10,000; texts that could be formulas begin with an apostrophe. Absent: what `Accept` prefers.',
      'json',
    ),
  ),
  ...PageQuery.shape,
});

export const IssueAnswer = nameSchema(
  'Issue',
  z.object({
    source: about(z.string(), '`api`, `upload`, or the id of the feed whose file has it.', 'api'),
    vin: about(Nullable.text, 'The VIN as far as it is readable.', '1FD0W5HT7NED58552'),
    stock_number: Nullable.text,
    dealer: about(Nullable.text, 'The dealer as the record names it.', 'lone-star-trucks'),
    code: about(
      z.string(),
      'Code of the stage that rejected the record, or of an unreadable row.',
      'VIN_LENGTH',
    ),
    field: Nullable.text,
    received: z.unknown(),
    fix: about(z.string(), 'What to change, in one sentence.'),
    times: about(z.int(), 'Number of rejections.', 3),
    first_seen_at: IsoTime,
    last_seen_at: IsoTime,
  }),
  'A record that is not listed now, and why.',
);

export const IssuesAnswer = z.object({ issues: z.array(IssueAnswer), next_cursor: Nullable.text });
