import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '..', '..');

/** The one entry. No other line of the tree knows this field. */
export const PLANTED = {
  name: 'axle_count',
  entry: `  axle_count: {
    kind: 'integer',
    range: [1, 20],
    names: ['axle_count', 'axles'],
    columns: ['number of axles', 'suspension type'],
    about: 'Number of axles.',
    example: 3,
    spec: { en: 'Number of axles', es: 'Número de ejes', fr: 'Nombre d’essieux' },
    search: {
      values: { about: 'Numbers of axles.', example: '2,3' },
      range: { about: 'number of axles.', examples: [2, 4] },
      facet: true,
    },
  },
`,
} as const;

const FOLDERS = ['lib', 'api', 'drizzle', 'scripts', 'tests', 'widget', 'public'];
const FILES = ['package.json', 'tsconfig.json', 'vercel.json', 'drizzle.config.ts', 'vitest.config.ts'];

/** A copy of the tree with the field's entry in the record table and the migration generated from it. */
export async function plantField(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'prove-field-'));
  for (const part of [...FOLDERS, ...FILES])
    await cp(join(ROOT, part), join(copy, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const table = join(copy, 'lib/truck/record/fields.ts');
  const end = '} as const satisfies Record<string, Entry>;';
  const text = await readFile(table, 'utf8');
  if (!text.includes(end)) throw new Error('the record table does not end as expected');
  await writeFile(table, text.replace(end, PLANTED.entry + end));
  const kit = join(ROOT, 'node_modules/drizzle-kit/bin.cjs');
  await promisify(execFile)(process.execPath, [kit, 'generate', '--name', 'planted'], { cwd: copy });
  return copy;
}
