import { html } from 'hono/html';
import type { ApiError } from '../errors.ts';
import type { Problem, View } from '../http/pages/page.ts';
import { labelForField } from './parts/labels.ts';

/** What a person reads of a refusal: on a page of its own, or on the page whose form was refused. */

const OVERVIEW = html`<p><a href="/dashboard">Go to the overview</a></p>`;

/** The page of a refusal. */
export function describeRefusal({ code, message, details }: ApiError, supportEmail: string): View {
  if (details.reason === 'account_suspended') return suspended(supportEmail);
  const title =
    code === 'NOT_FOUND' ? 'Not found' : code === 'INTERNAL_ERROR' ? 'Something went wrong' : 'Not possible';
  // A refused form is shown on its page: this is an address that was cut or changed, or a search that cannot be read.
  if (code === 'INVALID_PARAMS')
    return {
      title: 'Not found',
      main: html`<p>The address of this page, or what was typed into a search, cannot be read.</p>${OVERVIEW}`,
    };
  const fix = details.fix && details.fix !== message ? html`<p>${details.fix}</p>` : '';
  return { title, main: html`<p>${message}</p>${fix}${OVERVIEW}` };
}

/** Nothing else of the account can be opened: no link leads to a page. */
const suspended = (supportEmail: string): View => ({
  title: 'Suspended',
  main: html`<p>The account is suspended. Its trucks, keys and pages are off until it is active again. Nothing of it is lost.</p>
<p>Write to <a href="mailto:${supportEmail}">${supportEmail}</a>.</p>`,
});

/** A refusal as the page says it whose form was refused: with labels in the place of names. */
export function toProblem({ message, details }: ApiError): Problem {
  const { fix = '', field = null, issues = [] } = details;
  const problems = issues.filter(isIssue).map(({ field, fix }) => ({ field, message: label(field, fix) }));
  return {
    message: label(field, message),
    fix: fix === message ? '' : label(field, fix),
    field,
    issues: problems.length > 1 ? problems : [],
  };
}

/** Services name the field first, or ask to add it. */
function label(field: string | null, text: string): string {
  if (field === null || field === '') return text;
  const name = `“${labelForField(field)}”`;
  if (text === `Add ${field}.`) return `Fill in ${name}.`;
  const isFirst = text.startsWith(field) && /[ :.]/.test(text.charAt(field.length));
  return isFirst ? name + text.slice(field.length) : text;
}

const isIssue = (issue: object): issue is { field: string; fix: string } =>
  'field' in issue && typeof issue.field === 'string' && 'fix' in issue && typeof issue.fix === 'string';
