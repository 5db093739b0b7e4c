import { html } from 'hono/html';
import { buttonForm } from '../../../dashboard/parts/form.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { badge, moment } from '../../../dashboard/parts/text.ts';
import type { Html, PageCall } from '../../../http/pages/page.ts';
import type { SessionEntry } from '../sessions.ts';

/** Browsers that are signed in; the page has the action `end_session`. */
export const sessionTable = (sessions: readonly SessionEntry[], current: PageCall['session']): Html =>
  table(
    'Signed-in browsers',
    ['Browser', 'Person', 'Since', 'Last seen', { label: 'Change', isHidden: true }],
    sessions.map(({ id, email, browser, created_at, seen_at }) => [
      html`${browser}${id === current.id && html` ${badge('this one')}`}`,
      email ?? 'Operator',
      moment(created_at),
      moment(seen_at),
      buttonForm('end_session', 'Sign out', { id }),
    ]),
  );
