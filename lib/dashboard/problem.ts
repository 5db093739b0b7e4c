import type { ApiError } from '../errors.ts';
import type { Problem } from '../http/pages/page.ts';
import { labelForField } from './parts/labels.ts';

/** A refusal as the page says it whose form was refused: with labels in the place of names. */
export function toProblem({ message, details }: ApiError): Problem {
  const { fix = '', field = null, issues = [] } = details;
  const all = issues.filter(isIssue).map(({ field, fix }) => ({ field, message: label(field, fix) }));
  return {
    message: label(field, message),
    fix: fix === message ? '' : label(field, fix),
    field,
    issues: all.length > 1 ? all : [],
  };
}

/** Services name the field first, or ask to add it. */
function label(field: string | null, text: string): string {
  if (field === null || field === '') return text;
  const name = `“${labelForField(field)}”`;
  if (text === `Add ${field}.`) return `Fill in ${name}.`;
  return [' ', ':', '.'].some((next) => text.startsWith(field + next))
    ? name + text.slice(field.length)
    : text;
}

const isIssue = (issue: object): issue is { field: string; fix: string } =>
  'field' in issue && typeof issue.field === 'string' && 'fix' in issue && typeof issue.fix === 'string';
