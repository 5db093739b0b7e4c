import { createHash } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { BundledFile } from './build.ts';

/**
 * esbuild leaves what a function needs at once in as many chunks as there are ways to share it with what is loaded
 * later: some twenty files, each opened, read, compiled and linked at a cold start. Here they become one, the core; what
 * is loaded later imports from it.
 */

/** Paths, relative to the bundle's root, with forward slashes. */
type Path = string;

/** `entry` is the function's own file, `folder` where its chunks are. Answers the same bundle with one core. */
export async function mergeChunks(
  files: ReadonlyMap<Path, string>,
  outputs: Metafile['outputs'],
  entry: Path,
  folder: Path,
): Promise<BundledFile[]> {
  const needed = neededAtOnce(outputs, entry);
  if (needed.length === 1) return [...files].map(([path, text]) => ({ path, text }));
  const later = [...files.keys()].filter((path) => !needed.includes(path));
  /** Of chunks that are also loaded later by their own name. */
  const facades = needed.filter((path) => path !== entry && outputs[path]?.entryPoint !== undefined);

  const used = new Map<Path, Set<string>>();
  const use = (path: Path, name: string) => used.set(path, (used.get(path) ?? new Set()).add(name));
  for (const path of later)
    for (const { from, names } of findImports(path, files.get(path) ?? '').imports)
      if (needed.includes(from)) for (const { name } of names) use(from, name);
  for (const path of facades) for (const name of outputs[path]?.exports ?? []) use(path, name);

  const inCore = (path: Path, name: string) => `c${needed.indexOf(path)}_${name}`;
  const exports = [...used].map(
    ([path, names]) =>
      `export{${[...names].map((name) => `${name} as ${inCore(path, name)}`).join()}}from"/${path}";`,
  );
  const core = await merged(files, `export{default}from"/${entry}";${exports.join('')}`, folder);
  const hash = createHash('sha256').update(core).digest('hex').slice(0, 8).toUpperCase();
  const corePath = `${folder}/core-${hash}.js`;

  return [
    { path: entry, text: `import own from"${address(entry, corePath)}";export default own;` },
    { path: corePath, text: core },
    ...facades.map((path) => {
      const names = (outputs[path]?.exports ?? []).map((name) => `${inCore(path, name)} as ${name}`);
      return { path, text: `export{${names.join()}}from"${address(path, corePath)}";` };
    }),
    ...later.map((path) => {
      const { imports, rest } = findImports(path, files.get(path) ?? '');
      const statements = imports.map(({ from, names, text }) => {
        if (!needed.includes(from)) return text;
        if (names.length === 0) return '';
        const specifiers = names.map(({ name, as }) => `${inCore(from, name)} as ${as}`);
        return `import{${specifiers.join()}}from"${address(path, corePath)}";`;
      });
      return { path, text: statements.join('') + rest };
    }),
  ];
}

export const isCore = (path: Path): boolean => /\/core-[0-9A-F]{8}\.js$/.test(path);

/** The entry and all that it imports without being asked. */
function neededAtOnce(outputs: Metafile['outputs'], entry: Path): Path[] {
  const needed = new Set([entry]);
  for (const path of needed)
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (!external && kind === 'import-statement') needed.add(imported);
  return [...needed];
}

const STATEMENT = /import(?:([^"';]*?)from)?"([^"]+)";\n?/y;

/** The imports that a file begins with: esbuild writes those of other chunks there. */
function findImports(path: Path, text: string) {
  const imports: { from: Path; names: { name: string; as: string }[]; text: string }[] = [];
  let end = 0;
  for (;;) {
    STATEMENT.lastIndex = end;
    const found = STATEMENT.exec(text);
    if (found === null) return { imports, rest: text.slice(end) };
    end = STATEMENT.lastIndex;
    const [whole, clause = '', from = ''] = found;
    const inBraces = /^\{(.*)\}$/.exec(clause.trim())?.[1];
    const names = (inBraces ?? '').split(',').flatMap((specifier) => {
      const [name, as = name] = specifier.trim().split(' as ');
      return name && as ? [{ name, as }] : [];
    });
    imports.push({ from: from.startsWith('.') ? resolved(path, from) : from, names, text: whole });
  }
}

/** Bundles the chunks that `contents` names; what they load later stays outside, seen from the core's folder. */
async function merged(files: ReadonlyMap<Path, string>, contents: string, folder: Path): Promise<string> {
  const chunks: Plugin = {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[./]/ }, ({ path, importer, kind }) => {
        const at = path.startsWith('/') ? path.slice(1) : resolved(importer, path);
        return kind === 'dynamic-import'
          ? { path: address(`${folder}/core.js`, at), external: true }
          : { path: at, namespace: 'chunk' };
      });
      onResolve({ filter: /^[^./]/, namespace: 'chunk' }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({ contents: files.get(path) ?? '' }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [chunks],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('the core came out empty');
  return file.text;
}

const resolved = (importer: Path, address: string): Path =>
  join(dirname(importer), address).split(sep).join('/');

function address(importer: Path, path: Path): string {
  const way = relative(dirname(importer), path).split(sep).join('/');
  return way.startsWith('.') ? way : `./${way}`;
}
