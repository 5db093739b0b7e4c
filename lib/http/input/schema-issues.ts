import * as z from 'zod/mini';
import type { Reason } from '../../errors.ts';
import { toTable } from '../../truck/text/table.ts';
import { toReceivedValue } from '../../truck/text/text.ts';

/** What a schema refuses, in our own words: the library's sentences never reach the wire. */

export interface SchemaIssue {
  /** '' for the value as a whole. */
  field: string;
  reason: Reason;
  /** Absent when nothing was sent, and for secrets. */
  received?: unknown;
  fix: string;
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

z.config({ customError: describeProblem });

const MAX_ISSUES = 20;
const SECRET = /password|secret|private_key|token/i;

export function toSchemaIssues(issues: readonly z.core.$ZodIssue[]): SchemaIssue[] {
  return issues.slice(0, MAX_ISSUES).map((issue) => {
    const extra = issue.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
    const field = [...issue.path, ...extra].map(String).join('.').slice(0, 200).toWellFormed();
    const reason = reasonFor(issue);
    const subject = field === '' ? 'The body' : field;
    const fix =
      reason === 'missing' && field !== '' ? toAddition(field, issue) : `${subject} ${issue.message}.`;
    const isShown = reason !== 'missing' && reason !== 'unknown_field' && !SECRET.test(field);
    return { field, reason, ...(isShown ? { received: toReceivedValue(issue.input) } : {}), fix };
  });
}

/** What to add; where only a few values are taken, which. */
function toAddition(field: string, issue: z.core.$ZodIssue): string {
  const values = issue.code === 'invalid_value' ? `: one of ${issue.values.map(String).join(', ')}` : '';
  return `Add ${field}${values}.`;
}

const REASONS: Readonly<Record<string, Reason>> = {
  invalid_type: 'wrong_type',
  invalid_union: 'wrong_type',
  invalid_value: 'not_allowed',
  too_small: 'out_of_range',
  too_big: 'out_of_range',
  unrecognized_keys: 'unknown_field',
};

function reasonFor({ code, input }: z.core.$ZodIssue): Reason {
  if (input === undefined && code !== 'unrecognized_keys') return 'missing';
  return REASONS[code] ?? 'malformed';
}

const TYPES: Readonly<Record<string, string>> = toTable({
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
});

/** The problem as the rest of a sentence that begins with the field. */
function describeProblem(issue: RawIssue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of: '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${bound('at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${bound('at most', issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return `must be a valid ${issue.format === 'regex' ? 'value' : issue.format}`;
    case 'unrecognized_keys':
      return 'is not known here';
    default:
      return 'has the wrong form';
  }
}

function bound(side: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') return `have ${side} ${limit} characters`;
  return origin === 'array' ? `have ${side} ${limit} items` : `be ${side} ${limit}`;
}
