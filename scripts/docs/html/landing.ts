import { html } from './markup.ts';
import { page } from './page.ts';

/** The front page: three ways on. */
export function landingPage(): string {
  return page({
    title: 'Commercial Truck Inventory API',
    description: 'Ingests, merges, enriches and serves dealers’ listings of commercial trucks.',
    section: 'home',
    main: html`<article class="landing">
<h1>Commercial Truck Inventory API</h1>
<p class="lead">Send the trucks of a dealer, one at a time or 500 at once. Each one is checked, merged with what is known, enriched, and can be read by its VIN a moment later.</p>
<ul class="cards">
<li><a href="/docs/"><strong>Guide and reference</strong><span>From the first request to the last header, with real answers.</span></a></li>
<li><a href="/docs/widget.html"><strong>Widget</strong><span>Search, chat and leads on a dealer’s site, by one script tag.</span></a></li>
<li><a href="/docs/errors/"><strong>Errors</strong><span>Every code: its cause, its fix, and a request that causes it.</span></a></li>
<li><a href="/openapi.json"><strong>openapi.json</strong><span>The same in OpenAPI 3.1, for your tools.</span></a></li>
<li><a href="/api/health"><strong>Health</strong><span>Is the service ready right now?</span></a></li>
</ul>
</article>
`,
  });
}
