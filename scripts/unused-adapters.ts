import { join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Ports } from '../lib/ports.ts';

/**
 * Every function connects to all ports, so that a bundle would hold all adapters: the clients of SFTP, S3 and mail in a
 * look-up by VIN. What a function never calls is left out: an adapter none of whose ports its code names.
 */

/** Folders of `lib` that bring packages along, and the ports that lead to them. */
export const PORTS: Readonly<Record<string, readonly (keyof Ports)[]>> = {
  'outside/assistant': ['assistant'],
  'feeds/files': ['feedFiles'],
  'feeds/sources': ['feedSource'],
  'outside/fetcher': ['fetcher', 'feedSource', 'geocoder'],
  'outside/geocoder': ['geocoder'],
  'outside/imaging': ['imaging'],
  'outside/mailer': ['mailer'],
  'outside/objects': ['objects'],
  'pipeline/vin-decoder': ['decodeVins'],
};

/** The folders that this api file never reaches. */
export async function findUnusedAdapters(root: string, file: string): Promise<string[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Without types and comments a port's name occurs only where it is used; connect names them all.
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['*/connect.ts'],
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return Object.keys(PORTS).filter((folder) => !PORTS[folder]?.some((port) => isNamed(port, code)));
}

/** As a member, or as one of the members that are taken out of an object. */
const isNamed = (port: string, code: string): boolean =>
  code.includes(`.${port}`) || ['{', ','].some((before) => code.includes(`${before}${port}`));

/** What these adapters load when they are first called is a module that throws. */
export function withoutAdapters(root: string, folders: readonly string[]): Plugin {
  const isLeftOut = (path: string): boolean => {
    const [lib, ...folder] = relative(root, path).split(sep);
    return lib === 'lib' && folders.includes(folder.slice(0, 2).join('/'));
  };
  return {
    name: 'without-adapters',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || path.startsWith('node:')) return null;
        const loaded = path.startsWith('.') && isLeftOut(join(resolveDir, path));
        return loaded || isLeftOut(importer) ? { path, namespace: 'absent' } : null;
      });
    },
  };
}
