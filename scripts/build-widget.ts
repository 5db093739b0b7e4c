import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';

/**
 * `node scripts/build-widget.ts`: bundles the widget's source into public/, where it is committed. The panel's address
 * carries a hash of its content; vercel.json leads every such address to the one file, so that a page that was open
 * while a new version went live still finds a panel.
 */

/** Browsers that know `light-dark()`, dynamic import and constructable style sheets: all since spring 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/**
 * Members that only our own modules name: they get short names. None of them may be a member of the wire, of what the
 * browser stores or knows, of what is put on a node, of what launcher and panel hand to each other, or a word's name.
 */
const PRIVATE =
  /^(about|act|base|dollars|draft|each|element|findFault|findSoon|finding|kept|kind|leadFault|look|news|node|number|pause|props|repeat|say|seconds|sending|tag|talkFault|talking|trail|wrong)$/;

const common = {
  bundle: true,
  minify: true,
  write: false,
  target: TARGET,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  mangleProps: PRIVATE,
  alias: { preact: './widget/preact-subset.ts', 'preact/jsx-runtime': './widget/preact-subset.ts' },
} as const satisfies BuildOptions;

/** Paths below the root → text. The same source gives the same bytes. */
export async function buildWidget(root: string): Promise<Map<string, string>> {
  const bundled = async (entry: string, options: BuildOptions) => {
    const { outputFiles } = await build({
      ...common,
      ...options,
      absWorkingDir: root,
      entryPoints: [entry],
      plugins: [styleText],
    });
    return outputFiles?.[0]?.text ?? '';
  };
  const panel = await bundled('widget/panel/mount.tsx', { format: 'esm' });
  const hash = createHash('sha256').update(panel).digest('hex').slice(0, 12);
  const launcher = await bundled('widget/launcher.ts', {
    format: 'iife',
    define: { PANEL_FILE: JSON.stringify(`widget-panel.${hash}.js`) },
  });
  return new Map([
    ['public/widget.js', launcher],
    ['public/widget-panel.js', panel],
  ]);
}

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
  let sum = 0;
  for (const [path, text] of await buildWidget(root)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    const size = gzipSync(text, { level: 9 }).length;
    sum += size;
    console.log(`${path}  ${Buffer.byteLength(text)} B, ${size} B gzipped`);
  }
  console.log(`together ${sum} B gzipped`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(fileURLToPath(new URL('..', import.meta.url)));
