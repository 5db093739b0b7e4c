import { codeBlock } from './code-block.ts';
import { renderMarkdown } from './markdown.ts';
import { html, Markup } from './markup.ts';
import { page } from './page.ts';

/** The page about the widget: docs/widget.md, with a preview to play with where it says so. */
export function widgetPage(markdown: string): string {
  const [before = '', after = ''] = markdown.split('<!-- preview -->');
  const { headings } = renderMarkdown(markdown);
  const entries = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`);
  return page({
    title: 'Put it on your site · Commercial Truck Inventory API',
    description: 'The widget for dealers’ sites: search, chat and leads by one script tag.',
    section: 'widget',
    scripts: ['/docs/try-widget.js'],
    contents: html`<p class="group">Widget</p>
<ul>${entries}<li><a href="#try-it">Try it</a></li></ul>
`,
    main: html`<article class="guide">
${renderMarkdown(before).body}${preview()}${renderMarkdown(after).body}</article>
`,
  });
}

const TAG = `<script async src="https://api.example.com/widget.js"
  data-dealer="lone-star-trucks" data-key="ctis_wk_live_…"></script>`;

/** Works without the script as well: the preview shows the defaults, and the tag is the plain one. */
function preview(): Markup {
  const field = (name: string, label: string, type: string, value: string) =>
    html`<label>${label} <input name="${name}" type="${type}" value="${value}"></label>
`;
  const choice = (name: string, label: string, values: readonly (readonly [string, string])[]) =>
    html`<label>${label} <select name="${name}">${values.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>
`;
  return html`<section class="try"><h2 id="try-it">Try it</h2>
<p>The widget as your visitors get it, with trucks and answers made up for this page.</p>
<form class="options">
${field('accent', 'Accent', 'color', '#14505c')}${field('label', 'Label', 'text', 'Find a truck')}${choice(
  'side',
  'Side',
  [
    ['', 'Right'],
    ['left', 'Left'],
  ],
)}${choice('language', 'Language', [
  ['', 'As the page'],
  ['en', 'English'],
  ['es', 'Spanish'],
  ['fr', 'French'],
])}</form>
<iframe src="/docs/widget-preview.html" title="Preview of the widget"></iframe>
${new Markup(codeBlock('html', TAG).text.replace('<code>', '<code id="tag">'))}</section>
`;
}
