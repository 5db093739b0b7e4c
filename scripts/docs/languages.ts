import { type Call, prettyJson, TOKENS, toCurl } from './call.ts';

/** One call in the languages that integrators write: programs that run as they stand. */

export const LANGUAGES = {
  curl: { fence: 'sh', toSample: toCurl },
  JavaScript: { fence: 'js', toSample: toJavaScript },
  Python: { fence: 'python', toSample: toPython },
  'C#': { fence: 'csharp', toSample: toCSharp },
  PHP: { fence: 'php', toSample: toPhp },
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

/** The pieces of a text: those at odd places are names of variables. */
const toPieces = (text: string) =>
  text.split(/\{\{(\w{1,30})\}\}/).map((piece, at) => (at % 2 === 1 ? piece.toUpperCase() : piece));

const hasVariables = (text: string) => text.includes('{{');
const interpolate = (text: string, variable: (name: string) => string) =>
  toPieces(text)
    .map((piece, at) => (at % 2 === 1 ? variable(piece) : piece))
    .join('');
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

const PYTHON_WORDS = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

function toPython(call: Call): string {
  const { method, json } = call;
  const text = (value: string) =>
    hasVariables(value) ? `f"${interpolate(value, (name) => `{os.environ['${name}']}`)}"` : `"${value}"`;
  const headers = listHeaders(call).map(([name, value]) => `        "${name}": ${text(value)},`);
  const shown = prettyJson(json, '', (value) => PYTHON_WORDS.get(value) ?? JSON.stringify(value));
  return [
    `import ${json === undefined ? '' : 'json, '}os, urllib.error, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    ${text(`{{BASE}}${call.path}`)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(json === undefined ? [] : [`    data=json.dumps(${indent(shown, '    ')}).encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

function toCSharp(call: Call): string {
  const { method, json } = call;
  const text = (value: string) =>
    hasVariables(value) ? `$"${interpolate(value, (name) => `{Env("${name}")}`)}"` : `"${value}"`;
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const headers = listHeaders(call)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => `request.Headers.Add("${name}", ${text(value)});`);
  const content =
    json === undefined
      ? []
      : [
          'request.Content = new StringContent("""',
          `    ${indent(prettyJson(json), '    ')}`,
          '    """, System.Text.Encoding.UTF8, "application/json");',
        ];
  return [
    'string Env(string name) => Environment.GetEnvironmentVariable(name)!;',
    '',
    'using var http = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${verb}, ${text(`{{BASE}}${call.path}`)});`,
    ...headers,
    ...content,
    'using var response = await http.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join('\n');
}

function toPhp(call: Call): string {
  const { method, json } = call;
  const text = (value: string) =>
    toPieces(value)
      .map((piece, at) => (at % 2 === 1 ? `getenv('${piece}')` : piece === '' ? '' : `'${piece}'`))
      .filter(Boolean)
      .join(' . ');
  const headers = listHeaders(call).map(([name, value]) => `        ${text(`${name}: ${value}`)},`);
  const content =
    json === undefined
      ? []
      : ["    'content' => <<<'JSON'", `        ${indent(prettyJson(json), '        ')}`, '        JSON,'];
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    ...(headers.length > 0 ? ["    'header' => [", ...headers, '    ],'] : []),
    ...content,
    "    'ignore_errors' => true,",
    ']]);',
    `$body = file_get_contents(${text(`{{BASE}}${call.path}`)}, false, $context);`,
    'echo $http_response_header[0], "\\n", $body, "\\n";',
  ].join('\n');
}
