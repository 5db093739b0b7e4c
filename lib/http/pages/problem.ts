import type { ApiError } from '../../errors.ts';
import type { Problem } from './page.ts';

/** A refusal as the page says it whose form was refused: with labels in the place of names. */
export function toProblem({ message, details }: ApiError, labelFor: (field: string) => string): Problem {
  const { fix = '', field = null, issues = [] } = details;
  const inWords = (name: string | null, text: string) => replaceName(name, text, labelFor);
  const all = issues
    .filter(isIssue)
    .map((issue) => ({ field: issue.field, message: inWords(issue.field, issue.fix) }));
  return {
    message: inWords(field, message),
    fix: fix === message ? '' : inWords(field, fix),
    field,
    issues: all.length > 1 ? all : [],
  };
}

/** Services name the field first, or ask to add it. */
function replaceName(field: string | null, text: string, labelFor: (field: string) => string): string {
  if (field === null || field === '') return text;
  if (text === `Add ${field}.`) return `Fill in “${labelFor(field)}”.`;
  if (!text.startsWith(field)) return text;
  const rest = text.slice(field.length);
  return /^[ :.]/.test(rest) ? `“${labelFor(field)}”${rest}` : text;
}

const isIssue = (issue: object): issue is { field: string; fix: string } =>
  'field' in issue && typeof issue.field === 'string' && 'fix' in issue && typeof issue.fix === 'string';
