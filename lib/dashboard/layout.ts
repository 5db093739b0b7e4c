import { html } from 'hono/html';
import type { Session } from '../accounts/people/sessions.ts';
import type { Html, PageEntry, Problem, View } from '../http/pages/page.ts';

export interface Frame {
  session: Session;
  path: string;
  /** What was just done. */
  notice: string | null;
  problem: Problem | null;
}

/** What surrounds every page: the navigation, what was just done, and what went wrong. */
export function renderPage(pages: readonly PageEntry[], view: View, frame: Frame): Html {
  const { session, notice, problem } = frame;
  const refresh = view.refreshSeconds;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${view.title} · Truck inventory</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/dashboard.css"><link rel="icon" href="data:,"><script src="/dashboard.js" defer></script>
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}</head>
<body${session.id === '' ? html` class="outside"` : isLooking(frame) ? html` class="read-only"` : ''}${refresh && html` data-refresh="${refresh}"`}>
<a class="skip" href="#main">Skip to content</a>
${session.id === '' ? html`<header class="top"><a class="brand" href="/dashboard">Truck inventory</a></header>` : sidebar(pages, frame)}
<main id="main">${lookingBar(frame)}<h1>${view.title}</h1>
${notice && html`<p class="notice" role="status">${notice}</p>`}${problem && problemBox(problem)}
${view.main}</main></body></html>`;
}

function problemBox({ message, fix, issues }: Problem): Html {
  const words =
    issues.length > 0
      ? html`<p>Nothing was saved. Change this:</p><ul>${[...new Set(issues.map((issue) => issue.message))].map((text) => html`<li>${text}</li>`)}</ul>`
      : html`<p>${message}</p>${fix !== '' && html`<p>${fix}</p>`}`;
  return html`<div class="problem" id="problem" role="alert">${words}</div>`;
}

function sidebar(pages: readonly PageEntry[], { session, path }: Frame): Html {
  const { account, person } = session;
  const entries = pages.filter((entry) => entry.label !== undefined && isShown(entry, session));
  const current = entries
    .filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  const links = entries.map(
    (entry) =>
      html`<li><a href="${entry.path}"${entry === current && html` aria-current="page"`}>${entry.label}</a></li>`,
  );
  return html`<header class="side"><a class="brand" href="/dashboard">Truck inventory<span>${account?.name ?? 'Operator'}</span></a>
<nav aria-label="Main"><ul>${links}</ul></nav>
<div class="who"><span>${person?.email ?? 'Operator'}</span><form method="post" action="/dashboard/sign-out"><button class="link" name="action" value="sign_out">Sign out</button></form></div></header>`;
}

function isShown({ role, isOnlyForm }: PageEntry, { person, isOperator, account }: Session): boolean {
  if (role === 'anyone') return false;
  if (isOperator) return role === 'operator' || (account !== null && !isOnlyForm);
  if (account?.erase_at) return false;
  return role === 'member' || (role === 'owner' && person?.role === 'owner');
}

/** On the pages of a seller, none of whose forms takes what an operator sends. */
const isLooking = ({ session, path }: Frame) =>
  session.isOperator && session.account !== null && !path.startsWith('/dashboard/operator');

/** An operator always sees whose account this is, but on pages of his own, where he does change things. */
function lookingBar(frame: Frame): Html | string {
  if (!isLooking(frame)) return '';
  return html`<div class="looking"><p>You look at <strong>${frame.session.account?.name}</strong> as the operator. Nothing can be changed from here.</p>
<form method="post" action="/dashboard/operator" class="inline"><button class="link" name="action" value="leave">Leave</button></form></div>`;
}
