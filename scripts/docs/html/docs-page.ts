import type { JsonObject } from '../../../lib/http/json-schema.ts';
import { type Heading, renderMarkdown } from './markdown.ts';
import { html, type Markup } from './markup.ts';
import { page } from './page.ts';
import {
  type Operation,
  operationAnchor,
  operationsOf,
  reference,
  type Shown,
  tagAnchor,
  tagsOf,
} from './reference.ts';

/** The guide and the reference on one page, so that a reader's search finds everything. */
export function docsPage(
  guide: string,
  document: JsonObject,
  examplesOf: (operation: Operation) => readonly Shown[],
): string {
  const { body, headings } = renderMarkdown(guide);
  return page({
    title: 'Commercial Truck Inventory API',
    description: 'Send the trucks of a dealer, read them by VIN: guide and reference.',
    section: 'guide',
    contents: html`<p class="group">Guide</p>
${guideContents(headings)}<p class="group"><a href="#reference">Reference</a></p>
${referenceContents(document)}`,
    main: html`<article class="guide">
${body}</article>
${reference(document, examplesOf)}`,
  });
}

function guideContents(headings: readonly Heading[]): Markup {
  const entries = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`);
  return html`<ul>${entries}</ul>\n`;
}

function referenceContents(document: JsonObject): Markup {
  const operations = operationsOf(document);
  const tags = tagsOf(document).map(({ name }) => {
    const entries = operations
      .filter(({ tag }) => tag === name)
      .map(
        ({ id, operation }) =>
          html`<li><a href="#${operationAnchor(id)}">${String(operation.summary)}</a></li>\n`,
      );
    return html`<li><a href="#${tagAnchor(name)}">${name}</a><ul>${entries}</ul></li>\n`;
  });
  return html`<ul>${tags}<li><a href="#schemas">Schemas</a></li></ul>\n`;
}
