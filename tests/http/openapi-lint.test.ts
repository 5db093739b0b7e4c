import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

/** What the linters of others say of the documents. */

const ROOT = new URL('../..', import.meta.url).pathname;
const SELLERS = join(ROOT, 'public/openapi.json');
const FILES = [SELLERS, join(ROOT, 'docs/openapi-operators.json')];

const SPECTRAL = join(ROOT, 'node_modules/@stoplight/spectral-cli/dist/index.js');
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
const planted = join(folder, 'planted.json');
afterAll(() => rmSync(folder, { recursive: true }));

/** The report on the documents and the planted one, warnings and hints included. */
function lint(cli: string, ...options: string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const argv = [cli, 'lint', ...FILES, planted, '--format', 'json', ...options];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  if (!/^[[{]/.test(stdout)) throw new Error(stderr || stdout);
  return stdout;
}

test('Redocly finds nothing, not even a warning, but what is planted', () => {
  const document = readFileSync(SELLERS, 'utf8')
    .replace('"outcome": "created"', '"outcome": "invented"')
    .replace('"operationId": "getHealth"', '"operationId": "getInventory"');
  writeFileSync(planted, document);
  const reports = lint(REDOCLY, '--config', join(ROOT, 'redocly.yaml')).split(/(?<=^\})(?=\{)/m);
  const [sellers, operators, plantedProblems] = reports.map((report) => JSON.parse(report).problems);
  expect([sellers, operators]).toEqual([[], []]);
  for (const ruleId of ['no-invalid-media-type-examples', 'operation-operationId-unique'])
    expect(plantedProblems).toContainEqual(expect.objectContaining({ ruleId }));
});

test('Spectral finds nothing, but an example that is planted and breaks its schema', () => {
  const content = { 'application/json': { schema: { enum: ['class_8'] }, example: 'class_2' } };
  const get = { responses: { 200: { description: 'A class.', content } } };
  const info = { title: 'Planted', version: '1.0.0' };
  writeFileSync(planted, JSON.stringify({ openapi: '3.1.0', info, paths: { '/class': { get } } }));
  const problems: { code: string; source: string }[] = JSON.parse(
    lint(SPECTRAL, '--ruleset', join(ROOT, '.spectral.yaml'), '--quiet'),
  );
  expect(problems.filter(({ source }) => source !== planted)).toEqual([]);
  expect(problems.map(({ code }) => code)).toContain('oas3-valid-media-example');
});
