import hljs from 'highlight.js/lib/common';
import type { Nodes, Root } from 'mdast';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Markdown as HTML: headings with ids, tables that scroll, highlighted code, and languages as tabs. */

export interface RenderedPage {
  title: string;
  html: string;
  /** In order; the first is the page's title. */
  sections: Section[];
}

/** What the search finds: a heading of level 1 to 3, and the prose below it. */
export interface Section {
  /** '' for the page's title. */
  id: string;
  title: string;
  level: number;
  text: string;
}

hljs.registerAliases('http', { languageName: 'json' });

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, {
    allowDangerousHtml: true,
    handlers: {
      code: (_, { lang, value }: { lang: string | null; value: string }) => {
        const { value: html } = hljs.highlight(value, { language: lang ?? 'plaintext' });
        const answer = lang === 'http' ? ' class="answer"' : '';
        return { type: 'raw', value: `<pre tabindex="0"${answer}><code>${html}</code></pre>` };
      },
    },
  })
  .use(rehypeStringify, { allowDangerousHtml: true });

/** `path` is below /docs/: `errors/VIN_LENGTH.md`. */
export function renderMarkdown(markdown: string, path: string): RenderedPage {
  const root = processor.parse(withTabs(linkToPages(markdown, path)));
  const sections = splitSections(root);
  const html = processor
    .stringify(processor.runSync(root))
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { title: sections[0]?.title ?? '', html, sections };
}

/** Markdown links to the Markdown beside it; a page may be served with or without a slash at the end of its address. */
const linkToPages = (markdown: string, path: string) =>
  markdown.replaceAll(
    /\]\((?!\w+:)([^()\s]+)\.md(#[\w-]+)?\)/g,
    (_, link, hash = '') =>
      `](${new URL(`${link}.html`, `http://docs.example/docs/${path}`).pathname}${hash})`,
  );

/** Labelled blocks (```` ```sh [curl] ````) one after the other become one block with a tab for each. */
function withTabs(markdown: string): string {
  return markdown.replaceAll(/(?:^```\w+ \[[^\]\n]+\]\n[\s\S]*?\n```\n+)+/gm, (blocks, position) => {
    const labels = [...blocks.matchAll(/^```\w+ \[(.+)\]$/gm)].map(
      ([, label], index) =>
        `<label><input type="radio" name="tabs-${position}"${index === 0 ? ' checked' : ''}><span>${label}</span></label>`,
    );
    return `<div class="tabs"><fieldset><legend>Language</legend>${labels.join('')}</fieldset>\n\n${blocks}</div>\n\n`;
  });
}

/** Gives headings their ids. */
function splitSections({ children }: Root): Section[] {
  const sections: Section[] = [];
  for (const node of children) {
    const text = readText(node);
    if (node.type === 'heading' && node.depth <= 3) {
      const id = node.depth === 1 ? '' : toId(text);
      if (id) node.data = { hProperties: { id } };
      sections.push({ id, title: text, level: node.depth, text: '' });
    } else for (const section of sections.slice(-1)) section.text += `${text} `;
  }
  return sections;
}

function readText(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  return 'children' in node ? node.children.map(readText).join(node.type === 'tableRow' ? ' ' : '') : '';
}

const toId = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
