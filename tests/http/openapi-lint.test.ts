import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What the linters of others say of the documents. */

const ROOT = new URL('../..', import.meta.url).pathname;
const SELLERS = join(ROOT, 'public/openapi.json');
const FILES = [SELLERS, join(ROOT, 'docs/openapi-operators.json')];

/** The rules that Redocly finds broken in each file, warnings included. */
function lintWithRedocly(files: readonly string[]): string[][] {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = ['--config', join(ROOT, 'redocly.yaml'), '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', ...files, ...options], {
    env,
    encoding: 'utf8',
  });
  if (!stdout.startsWith('{')) throw new Error(stderr || stdout);
  return stdout.split(/(?<=^\})(?=\{)/m).map((report) => {
    const { problems }: { problems: { ruleId: string }[] } = JSON.parse(report);
    return problems.map(({ ruleId }) => ruleId);
  });
}

test('Redocly finds nothing, not even a warning, but what is planted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const planted = join(folder, 'planted.json');
  const document = readFileSync(SELLERS, 'utf8')
    .replace('"outcome": "created"', '"outcome": "invented"')
    .replace('"operationId": "getHealth"', '"operationId": "getInventory"');
  writeFileSync(planted, document);
  const [sellers, operators, found] = lintWithRedocly([...FILES, planted]);
  rmSync(folder, { recursive: true });
  expect([sellers, operators]).toEqual([[], []]);
  expect(found).toContain('no-invalid-media-type-examples');
  expect(found).toContain('operation-operationId-unique');
});

/** The rules that Spectral finds broken, warnings and hints included, by file. */
function lintWithSpectral(files: readonly string[]): (file: string) => string[] {
  const cli = join(ROOT, 'node_modules/@stoplight/spectral-cli/dist/index.js');
  const options = ['--ruleset', join(ROOT, '.spectral.yaml'), '--format', 'json', '--quiet'];
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', ...options, ...files], {
    encoding: 'utf8',
  });
  if (!stdout.startsWith('[')) throw new Error(stderr || stdout);
  const problems: { code: string; path: string[]; source: string }[] = JSON.parse(stdout);
  return (file) =>
    problems.filter(({ source }) => source === file).map(({ code, path }) => `${code} ${path.join('.')}`);
}

test('Spectral finds nothing, but an example that is planted and breaks its schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const planted = join(folder, 'planted.json');
  const content = { 'application/json': { schema: { enum: ['class_8'] }, example: 'class_2' } };
  const get = { responses: { 200: { description: 'A class.', content } } };
  const info = { title: 'Planted', version: '1.0.0' };
  writeFileSync(planted, JSON.stringify({ openapi: '3.1.0', info, paths: { '/class': { get } } }));
  const findRules = lintWithSpectral([...FILES, planted]);
  rmSync(folder, { recursive: true });
  for (const file of FILES) expect(findRules(file), file).toEqual([]);
  expect(findRules(planted).join('\n')).toContain('oas3-valid-media-example');
});
