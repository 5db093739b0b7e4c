import { html } from 'hono/html';
import type { Html, PageCall } from '../../http/pages/page.ts';

const TABS = [
  { path: '/dashboard/settings', label: 'Account', ownersOnly: false },
  { path: '/dashboard/settings/keys', label: 'Keys', ownersOnly: true },
  { path: '/dashboard/settings/people', label: 'People', ownersOnly: true },
  { path: '/dashboard/settings/dealers', label: 'Dealers', ownersOnly: false },
  { path: '/dashboard/settings/widget', label: 'Widget', ownersOnly: false },
] as const;

/** The parts of the settings; `path` is the one that is open. */
export function settingsTabs(
  { person, isOperator }: PageCall['session'],
  path: (typeof TABS)[number]['path'],
): Html {
  const tabs = TABS.filter(({ ownersOnly }) => !ownersOnly || isOperator || person?.role === 'owner');
  return html`<nav aria-label="Settings"><ul class="tabs">${tabs.map(
    (tab) =>
      html`<li><a href="${tab.path}"${tab.path === path ? html` aria-current="page"` : ''}>${tab.label}</a></li>`,
  )}</ul></nav>`;
}
