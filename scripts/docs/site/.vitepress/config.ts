import { createHash } from 'node:crypto';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import errors from './errors.json' with { type: 'json' };

const SUPPORT = process.env.SUPPORT_EMAIL || 'support@example.com';
const SALES = process.env.SALES_EMAIL || 'sales@example.com';

const REFERENCE = { text: 'API reference', link: '/reference.html', target: '_self' };

const GUIDES = [
  {
    text: 'Guides',
    items: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Send trucks', link: '/trucks' },
      { text: 'Stay in sync', link: '/sync' },
      { text: 'Issues', link: '/issues' },
      { text: 'Read and search', link: '/search' },
      { text: 'Photos, VINs, quality', link: '/enrichment' },
      { text: 'Market data', link: '/market' },
      { text: 'Feeds', link: '/feeds' },
      { text: 'Leads and webhooks', link: '/leads' },
      { text: 'Widget', link: '/widget' },
      { text: 'Chat', link: '/chat' },
    ],
  },
  {
    text: 'Look up',
    items: [
      REFERENCE,
      { text: 'Operations', link: '/operations' },
      { text: 'Errors', link: '/errors/' },
      { text: 'Warnings', link: '/warnings' },
      { text: 'Limits, errors, versions', link: '/limits' },
      { text: 'Changelog', link: '/changelog' },
      { text: 'Glossary', link: '/glossary' },
    ],
  },
];

export default defineConfig({
  lang: 'en-US',
  base: '/docs/',
  title: 'Truck Inventory API',
  description: 'Send the trucks of dealers, read them by VIN: guides and reference.',
  metaChunk: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: highlightOnce,
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: { _render: (text, env, md) => md.render(inOneLanguage(text), env) },
    },
    nav: [
      { text: 'Guides', link: '/quick-start' },
      REFERENCE,
      { text: 'Errors', link: '/errors/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: { '/errors/': [{ text: 'Errors', link: '/errors/' }, ...errors], '/': GUIDES },
    outline: [2, 3],
    footer: {
      message: `Questions? Write to <a href="mailto:${SUPPORT}">${SUPPORT}</a> and quote the x-request-id of an answer. More than 25,000 records a day? <a href="mailto:${SALES}">${SALES}</a>.`,
    },
  },
  transformHtml: withPolicy,
});

/** The same samples stand on several pages, and each page is rendered for readers and for the search. */
function highlightOnce({ options }: MarkdownRenderer): void {
  const { highlight } = options;
  const known = new Map<string, string>();
  options.highlight = (code, language, attributes) => {
    const key = `${language} ${attributes}\n${code}`;
    const html = known.get(key) ?? highlight?.(code, language, attributes) ?? '';
    known.set(key, html);
    return html;
  };
}

/** What is found is found once, not in each language. */
function inOneLanguage(text: string): string {
  return text.replaceAll(/^```\w+ \[(?!curl\])[^\]\n]*\]\n[\s\S]*?^```$/gm, '');
}

/** No script, font or request of anybody else: the page's own inline scripts are named by their hashes. */
function withPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
  return html.replace(
    '<head>',
    `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
