import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { LANGUAGES } from '../widget/options.ts';
import type { Words } from '../widget/panel/translate.ts';

/**
 * `node scripts/build-widget.ts`: bundles the widget's source into public/, where it is committed. The addresses of all
 * but the launcher carry the version, a hash of their content; vercel.json leads each of them to the newest file, so that
 * a page that was open while a new version went live still finds them.
 */

/** Browsers that know `light-dark()`, dynamic import and constructable style sheets: all since spring 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

const COMMON = {
  format: 'esm',
  bundle: true,
  minify: true,
  write: false,
  target: TARGET,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: { 'preact/jsx-runtime': './widget/kit/jsx.ts' },
} as const satisfies BuildOptions;

const CHUNKS = ['truck', 'chat', 'form', 'narrow', 'later'] as const;

/** Stands for the version until all files are built. */
const UNKNOWN = '_version_';

/** Paths below the root → text. The same source gives the same bytes. */
export async function buildWidget(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = async (name: string, entry: string, options: BuildOptions, language = 0) => {
    const { outputFiles } = await build({
      ...COMMON,
      absWorkingDir: root,
      entryPoints: [`widget/${entry}`],
      plugins: [styleText, oneLanguage(language)],
      ...options,
      define: { VERSION: JSON.stringify(UNKNOWN) },
    });
    files.set(`public/${name}.js`, outputFiles?.[0]?.text ?? '');
  };
  await add('widget', 'launcher.ts', { format: 'iife' });
  await add('widget-page', 'page/page.ts', {});
  await add('widget-fallback', 'fallback/fallback.ts', {});
  for (const [column, language] of LANGUAGES.entries()) {
    await add(`widget-panel-${language}`, 'panel/mount.tsx', {}, column);
    for (const chunk of CHUNKS)
      await add(`widget-${chunk}-${language}`, `${chunk}/${chunk}.tsx`, CHUNK, column);
  }
  const hash = createHash('sha256')
    .update([...files.values()].join())
    .digest('hex')
    .slice(0, 8);
  return new Map([...files].map(([path, text]) => [path, text.replaceAll(UNKNOWN, hash)]));
}

/** A chunk runs on the panel's Preact, which the panel hands over. */
const CHUNK: BuildOptions = { alias: { 'preact/jsx-runtime': './widget/kit/lent.ts' } };

/** Of every table of words only one column. */
const oneLanguage = (column: number): Plugin => ({
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /\/words\.ts$/ }, async ({ path }) => {
      const { WORDS }: { WORDS: Words } = await import(pathToFileURL(path).href);
      const words = Object.entries(WORDS).map(([name, columns]) => [name, [columns[column]]]);
      return { contents: `export const WORDS = ${JSON.stringify(Object.fromEntries(words))}`, loader: 'ts' };
    });
  },
});

/** `import css from './x.css'` is its text, minified. */
const styleText: Plugin = {
  name: 'style-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await readFile(path, 'utf8');
      const { code } = await transform(css, { loader: 'css', minify: true, target: TARGET });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

async function main(root: string): Promise<void> {
  for (const [path, text] of await buildWidget(root)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    console.log(`${path}  ${Buffer.byteLength(text)} B, ${gzipSync(text, { level: 9 }).length} B gzipped`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(fileURLToPath(new URL('..', import.meta.url)));
