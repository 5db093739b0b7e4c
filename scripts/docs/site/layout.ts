import type { RenderedPage } from './markdown.ts';

/** A page of the site around its content. It reads well without JavaScript, and loads nothing from elsewhere. */

export interface SidebarGroup {
  text: string;
  /** Links are relative to /docs/. */
  items: { text: string; link: string }[];
}

const SITE = 'Truck Inventory API';
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'";

/** `path` is below /docs/: `errors/VIN_LENGTH.html`. */
export function layoutPage(path: string, page: RenderedPage, groups: readonly SidebarGroup[]): string {
  const isHome = path === 'index.html';
  const markdown = path.replace(/html$/, 'md');
  const title = isHome ? SITE : `${escapeHtml(page.title)} | ${SITE}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs/">${SITE}</a>
<form action="/docs/find.html" role="search"><input type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" required></form>
<nav aria-label="Docs"><a href="/docs/quick-start.html">Guides</a> <a href="/docs/reference.html">API reference</a> <a href="/docs/errors/">Errors</a></nav>
<button type="button" class="menu" popovertarget="pages">Menu</button>
</header>
<nav id="pages" popover aria-label="Pages">
${groups.map((group) => sidebarGroup(group, path, page)).join('\n')}
</nav>
<main id="content"${isHome ? ' class="home"' : ''}>
<p class="copy-page"><a href="/docs/${markdown}">Open as Markdown</a></p>
${page.html}
</main>
<footer>${FOOTER}</footer>
</body>
</html>
`;
}

/** The page that is open shows its headings. */
function sidebarGroup({ text, items }: SidebarGroup, current: string, page: RenderedPage): string {
  const rows = items.map((item) => {
    const isCurrent = item.link === current;
    const anchor = `<a href="/docs/${item.link}"${isCurrent ? ' aria-current="page"' : ''}>${item.text}</a>`;
    return `<li>${anchor}${isCurrent ? headingList(page) : ''}</li>`;
  });
  return `<h2>${text}</h2>\n<ul>\n${rows.join('\n')}\n</ul>`;
}

function headingList({ sections }: RenderedPage): string {
  const headings = sections.filter(({ level }) => level === 2);
  const rows = headings.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return rows.length > 1 ? `<ul>${rows.join('')}</ul>` : '';
}

const SUPPORT = process.env.SUPPORT_EMAIL || 'support@example.com';
const SALES = process.env.SALES_EMAIL || 'sales@example.com';
const FOOTER = `Questions? Write to <a href="mailto:${SUPPORT}">${SUPPORT}</a> and quote the x-request-id of an answer. More than 25,000 records a day? <a href="mailto:${SALES}">${SALES}</a>.`;

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
