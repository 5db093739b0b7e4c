/** The search: what the header's box asks for, in the index of all sections. */
import MiniSearch from './minisearch.js';

const OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] };
const answer = await fetch('/docs/search-index.json');
const index = MiniSearch.loadJSON(await answer.text(), OPTIONS);
const box = document.querySelector('header input');
const output = document.querySelector('#results');

const element = (tag, properties, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

function show() {
  const query = box.value.trim();
  const results = index
    .search(query, { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 4, page: 2 } })
    .slice(0, 30);
  const items = results.map(({ id, title, page, excerpt }) =>
    element(
      'li',
      {},
      element('a', { href: `/docs/${id}` }, title === page ? title : `${page}: ${title}`),
      element('p', {}, excerpt),
    ),
  );
  const count =
    results.length === 30
      ? '30 or more sections'
      : `${results.length} ${results.length === 1 ? 'section' : 'sections'}`;
  const list = document.querySelector('#results ~ ul');
  list.hidden = query !== '';
  output.replaceChildren(
    ...(query === '' ? [] : [element('p', {}, `${count} with “${query}”`)]),
    element('ol', { className: 'results' }, ...items),
  );
}

box.value = new URLSearchParams(location.search).get('q') ?? '';
box.addEventListener('input', () => {
  history.replaceState(null, '', `?${new URLSearchParams({ q: box.value })}`);
  show();
});
show();
