import { type Call, prettyJson, TOKENS, toCurl } from './call.ts';

/** One call in the languages that integrators write: programs that run as they stand. */

export const LANGUAGES = {
  curl: { fence: 'sh', toSample: toCurl },
  JavaScript: { fence: 'js', toSample: toJavaScript },
  Python: { fence: 'python', toSample: toPython },
} as const satisfies Record<string, { fence: string; toSample: (call: Call) => string }>;

export type Language = keyof typeof LANGUAGES;

/** Whether a call is for readers of the site, whose languages differ; the operator's are for a shell. */
export const isForAll = ({ as = 'key', raw }: Call): boolean =>
  (as === 'key' || as === 'widget-key' || as === 'nobody') && raw === undefined;

/** Headers by name; the values are texts of which `{{name}}` is a variable of the shell. */
function listHeaders({ as = 'key', headers = {}, json }: Call): [string, string][] {
  const token = TOKENS[as];
  return [
    ...(token === null ? [] : [['Authorization', `Bearer {{${token.slice(1)}}}`] as [string, string]]),
    ...(json === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ...Object.entries(headers),
  ];
}

/** `{{name}}` stands for a variable of the shell. */
const hasVariables = (text: string) => text.includes('{{');
const interpolate = (text: string, variable: (name: string) => string) =>
  text.replace(/\{\{(\w{1,30})\}\}/g, (_, name: string) => variable(name.toUpperCase()));
const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function toJavaScript(call: Call): string {
  const { method, json } = call;
  const text = (value: string) =>
    hasVariables(value) ? `\`${interpolate(value, (name) => `\${process.env.${name}}`)}\`` : `'${value}'`;
  const headers = listHeaders(call).map(([name, value]) => `    '${name}': ${text(value)},`);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${indent(prettyJson(json), '  ')}),`]),
  ];
  return [
    `const response = await fetch(${text(`{{BASE}}${call.path}`)}, {`,
    ...options,
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function toPython(call: Call): string {
  const { method, json } = call;
  const text = (value: string) =>
    hasVariables(value) ? `f"${interpolate(value, (name) => `{os.environ['${name}']}`)}"` : `"${value}"`;
  const headers = listHeaders(call).map(([name, value]) => `        "${name}": ${text(value)},`);
  return [
    'import os, urllib.error, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${text(`{{BASE}}${call.path}`)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(json === undefined ? [] : [`    data=r"""${indent(prettyJson(json), '    ')}""".encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}
