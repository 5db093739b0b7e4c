import MiniSearch from 'minisearch';
import type { RenderedPage } from './markdown.ts';

/** The index of the search: the sections of all pages. */

type Pages = readonly (readonly [path: string, page: RenderedPage])[];

/** They must be those that find.js opens the index with. */
const OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] };

export function searchIndex(pages: Pages): string {
  const index = new MiniSearch(OPTIONS);
  for (const [path, { title: page, sections }] of pages)
    for (const { id, title, text } of sections) {
      const excerpt = text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);
      index.add({ id: id ? `${path}#${id}` : path, title, page, text, excerpt });
    }
  return JSON.stringify(index);
}
