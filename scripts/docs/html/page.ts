import { html, Markup } from './markup.ts';

export interface Page {
  title: string;
  /** For search engines and previews. */
  description: string;
  /** Which entry of the site's navigation is current. */
  section: 'home' | 'guide' | 'widget' | 'errors';
  /** Of its own, beside the one of every page. */
  scripts?: readonly string[];
  /** Table of contents beside the text. */
  contents?: Markup;
  main: Markup;
}

const NAVIGATION = [
  { section: 'guide', href: '/docs/', label: 'Guide' },
  { section: 'reference', href: '/docs/#reference', label: 'Reference' },
  { section: 'widget', href: '/docs/widget.html', label: 'Widget' },
  { section: 'errors', href: '/docs/errors/', label: 'Errors' },
  { section: 'openapi', href: '/openapi.json', label: 'OpenAPI' },
] as const;

/** A whole document. Works without the script, which only adds buttons to copy commands. */
export function page({ title, description, section, scripts = [], contents, main }: Page): string {
  const entries = NAVIGATION.map(
    (entry) =>
      html`<li><a href="${entry.href}"${entry.section === section && new Markup(' aria-current="page"')}>${entry.label}</a></li>`,
  );
  const toc = contents
    ? html`<nav class="contents wide" aria-label="Contents">${contents}</nav>
<details class="contents narrow"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
`
    : null;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/copy.js" defer></script>
${scripts.map(
  (script) => html`<script src="${script}" defer></script>
`,
)}</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="site">
<a class="brand" href="/">Truck Inventory <span>API</span></a>
<nav aria-label="Site"><ul>${entries}</ul></nav>
</header>
<div class="layout${contents ? '' : ' plain'}">
${toc}<main id="main" tabindex="-1">
${main}</main>
</div>
<footer class="site"><p>Questions? Write to the support of your service and quote the <code>x-request-id</code> of an answer.</p></footer>
</body>
</html>
`.text;
}
