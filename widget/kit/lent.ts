import type { Kit } from './kit.ts';

/**
 * In the chunks this stands in for `preact/jsx-runtime` and for what they use of the panel, which hands both over: so
 * they are loaded once.
 */

export let kit: Kit;
export let jsx: Kit['jsx'];
export let Fragment: Kit['Fragment'];

export function borrow(panel: Kit): void {
  kit = panel;
  ({ jsx, Fragment } = panel);
}

export { jsx as jsxs };
