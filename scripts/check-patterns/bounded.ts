/** Patterns that may take more than linear time, because what they read is cut to a length before. */
export const BOUNDED: readonly { path: string; source: string | null; bound: string }[] = [
  { path: 'lib/truck/text/tokens.ts', source: null, bound: 'A text of 200 characters.' },
  { path: 'lib/truck/text/amounts.ts', source: null, bound: 'A text of 60 characters.' },
  { path: 'lib/search/words/query-', source: null, bound: 'A query of 200 characters.' },
  {
    path: 'lib/pipeline/attempt.ts',
    source: '(?:file:\\/\\/)?\\/\\S*\\/(?=[^/\\s]+$)',
    bound: 'A line of a stack, 500 characters.',
  },
  {
    path: 'lib/truck/text/numbers.ts',
    source: '^([+-]?)([^\\d.,+-]*)([+-]?)(\\d[\\d,]*(?:\\.\\d*)?|\\.\\d+)([^\\d]*)$',
    bound: 'A text of 60 characters.',
  },
  { path: 'lib/truck/text/text.ts', source: '\\B(?=(\\d{3})+$)', bound: 'The digits of a number.' },
  {
    path: 'lib/truck/place/place.ts',
    source: '^(.*?)(?:[,\\s]+(\\d{5}(?:-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d))?$',
    bound: 'An address of 500 characters.',
  },
  {
    path: 'lib/truck/names/named-units.ts',
    source: '\\([^)]*\\)|\\[[^\\]]*\\]',
    bound: 'A name of 300 characters.',
  },
];
