/** What the launcher loads on every page; a file of its own, cached for good. Older launchers know `watch` and `refuse`. */

export { begin } from './begin.ts';
export { refuse, watch } from './watch.ts';
