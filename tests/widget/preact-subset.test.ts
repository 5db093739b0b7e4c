import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { closeVisits, hasChromium, newVisit } from './support/browser.ts';
import { ROOT } from './support/stage.ts';

/** Puts `draw(trees)` on the page: draws them one after the other, with both libraries, and tells what stood there. */
const IN_THE_PAGE = `
import * as preact from 'preact';
import { jsx } from 'preact/jsx-runtime';
import * as subset from './widget/preact-subset.ts';

const libraries = [{ jsx, Fragment: preact.Fragment, render: preact.render }, subset];

function build({ jsx, Fragment }, tree) {
  if (Array.isArray(tree)) return tree.map((each) => build({ jsx, Fragment }, each));
  if (tree === null || typeof tree !== 'object') return tree;
  const { tag, key, attributes, children } = tree;
  const type = { fragment: Fragment, function: (props) => props.children }[tag] ?? tag;
  return jsx(type, { ...(type === tag && attributes), children: build({ jsx, Fragment }, children) }, key);
}

// The order of attributes, whether a text one is empty or absent, the text of a boolean one and the seams of text are
// nobody's business.
function told(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  const attributes = [...node.attributes]
    .filter(({ name, value }) => name === 'hidden' || value !== '')
    .map(({ name, value }) => name + '=' + (name === 'hidden' ? '' : value));
  const children = [...node.childNodes].map(told);
  return '<' + [node.namespaceURI, node.localName, ...attributes.sort()].join(' ') + '>' + children.join('') + '</>';
}

window.draw = (trees) => {
  const places = libraries.map((library) => ({ library, place: document.createElement('div') }));
  return trees.map((tree) =>
    places.map(({ library, place }) => {
      library.render(build(library, tree), place);
      return told(place);
    }),
  );
};
window.subset = subset;
`;

/** The part of Preact that the widget brings along draws what Preact draws. */
describe.skipIf(!hasChromium)('the subset of Preact', () => {
  let page: Page;
  beforeAll(async () => {
    const bundled = await build({
      stdin: { contents: IN_THE_PAGE, resolveDir: ROOT, loader: 'js' },
      bundle: true,
      write: false,
      format: 'iife',
    });
    ({ page } = await newVisit());
    await page.addScriptTag({ content: bundled.outputFiles[0]?.text ?? '' });
  });
  closeVisits();

  const attributes = fc.record(
    {
      class: fc.constantFrom('a', 'b', ''),
      title: fc.string({ maxLength: 4 }),
      hidden: fc.constantFrom(true, false, undefined),
      'aria-busy': fc.boolean(),
      'data-x': fc.constantFrom('1', null),
    },
    { requiredKeys: [] },
  );
  const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.constantFrom(null, false, true, ''));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, leaf, tie('element')),
    element: fc.record({
      tag: fc.constantFrom('p', 'ul', 'svg', 'b', 'fragment', 'function'),
      attributes,
      children: fc.array(tie('tree'), { maxLength: 4 }),
    }),
  }));
  /** As in a list of trucks: the same element, told apart by its key. */
  const list = fc
    .uniqueArray(fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'))
    .map((keys) => keys.map((key) => ({ tag: 'li', key, attributes: {}, children: [key] })));
  const trees = fc.array(
    fc.record({ tag: fc.constant('div'), attributes, children: fc.tuple(tree, list, tree) }),
    {
      minLength: 2,
      maxLength: 5,
    },
  );

  test('draws any sequence of trees as Preact does', async () => {
    const sequences = fc.sample(trees, { numRuns: 300, seed: 7 });
    const drawn = await page.evaluate(
      (all) => all.map((each) => Reflect.get(window, 'draw')(each)),
      sequences,
    );
    for (const [at, steps] of drawn.entries())
      for (const [real, subset] of steps) expect(subset, JSON.stringify(sequences[at])).toBe(real);
  });

  test('keeps an element with its focus when what stands around it comes, goes and changes', async () => {
    const kept = await page.evaluate(() => {
      const subset = Reflect.get(window, 'subset');
      const place = document.body.appendChild(document.createElement('div'));
      const draw = (...children: unknown[]) => subset.render(children, place);
      const field = subset.jsx('textarea', {});
      draw(subset.jsx('p', {}), 'text', field);
      const before = place.querySelector('textarea');
      before?.focus();
      draw(field);
      draw(subset.jsx('b', {}), field, 'more', subset.jsx('p', {}));
      return document.activeElement === before && place.querySelector('textarea') === before;
    });
    expect(kept).toBe(true);
  });
});
