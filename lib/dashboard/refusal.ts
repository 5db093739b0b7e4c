import { html } from 'hono/html';
import type { ApiError } from '../errors.ts';
import type { View } from '../http/pages/page.ts';

const OVERVIEW = html`<p><a href="/dashboard">Go to the overview</a></p>`;

/** The page of a refusal. */
export function describeRefusal({ code, message, details }: ApiError, supportEmail: string): View {
  if (details.reason === 'account_suspended') return suspended(supportEmail);
  const title =
    code === 'NOT_FOUND' ? 'Not found' : code === 'INTERNAL_ERROR' ? 'Something went wrong' : 'Not possible';
  // A refused form is shown on its page: this is an address that was cut, changed, or is too old.
  if (code === 'INVALID_PARAMS')
    return { title: 'Not found', main: html`<p>This address leads nowhere any more.</p>${OVERVIEW}` };
  const fix = details.fix && details.fix !== message ? html`<p>${details.fix}</p>` : '';
  return { title, main: html`<p>${message}</p>${fix}${OVERVIEW}` };
}

/** Nothing else of the account can be opened: no link leads to a page. */
const suspended = (supportEmail: string): View => ({
  title: 'Suspended',
  main: html`<p>The account is suspended. Its trucks, keys and pages are off until it is active again. Nothing of it is lost.</p>
<p>Write to <a href="mailto:${supportEmail}">${supportEmail}</a>.</p>`,
});
