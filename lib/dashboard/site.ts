import { html } from 'hono/html';
import type { ApiError } from '../errors.ts';
import type { View } from '../http/pages/page.ts';
import type { Site } from '../http/pages/serve-pages.ts';
import { renderPage } from './layout.ts';
import { PAGES } from './pages.ts';
import { labelForField } from './parts/labels.ts';

export const DASHBOARD: Site = {
  pages: PAGES,
  signInPath: '/dashboard/sign-in',
  operatorPath: '/dashboard/operator',
  render: (view, frame) => renderPage(PAGES, view, frame),
  describe: describeRefusal,
  labelFor: labelForField,
};

function describeRefusal({ code, message, details }: ApiError): View {
  const title =
    code === 'NOT_FOUND' ? 'Not found' : code === 'INTERNAL_ERROR' ? 'Something went wrong' : 'Not possible';
  const fix = details.fix && details.fix !== message ? html`<p>${details.fix}</p>` : '';
  return { title, main: html`<p>${message}</p>${fix}<p><a href="/dashboard">Go to the overview</a></p>` };
}
