import { Marked, type Tokens } from 'marked';
import { codeBlock } from './code-block.ts';
import { escapeHtml, html, Markup } from './markup.ts';

/** Markdown of our own (the guide, the texts of catalogue and schemas) as HTML. */

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface Rendered {
  body: Markup;
  /** In order; ids are unique within the text. */
  headings: Heading[];
}

/** Links into `public/` become paths of the site, so that the source reads well on a repository’s pages too. */
function siteLink(href: string): string {
  return href.replace(/^(\.\.\/)+public(?=\/)/, '').replace(/\/index\.html$/, '/');
}

function markedFor(headings: Heading[]): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll('`', '');
        const id = slugOf(plain);
        headings.push({ depth, id, text: plain });
        const link =
          depth === 1
            ? ''
            : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      code: ({ text, lang }: Tokens.Code) => codeBlock(lang ?? '', text).text,
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(siteLink(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = token.header
          .map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`)
          .join('');
        return `<div class="table"><table><thead><tr>${head}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
}

export function renderMarkdown(text: string): Rendered {
  const headings: Heading[] = [];
  const body = markedFor(headings).parse(text, { async: false });
  return { body: new Markup(body.replace(/<!--[\s\S]*?-->\n?/g, '')), headings };
}

/** A text of one or more paragraphs. */
export function blocks(text: string): Markup {
  return renderMarkdown(text).body;
}

/** A text inside a line: only code, emphasis and links. */
export function inline(text: string): Markup {
  return new Markup(markedFor([]).parseInline(text, { async: false }));
}

export function list(items: readonly string[]): Markup {
  return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>\n`)}</ul>\n`;
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
