/** One HTTP call as data: rehearsed against the service, and shown as a curl line. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `{{name}}` stands for something an earlier answer gave. */
  path: string;
  /** Whose token is sent; default `key`. */
  as?: Caller;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Body text that is sent as it is. */
  raw?: string;
  /** How a shell makes the body, where it is too long to show. */
  shell?: string;
}

/** As JSON files have it: `call` is the method and the path. */
export type StoredCall = Omit<Call, 'method' | 'path'> & { call: string };

export function toCall({ call, ...rest }: StoredCall): Call {
  const [method, path] = call.split(' ') as [Call['method'], string];
  return { method, path, ...rest };
}

export type Caller = keyof typeof TOKENS;

/** The shell variables the curl lines read. */
export const TOKENS = {
  key: '$KEY',
  'widget-key': '$WIDGET_KEY',
  operator: '$ADMIN_TOKEN',
  cron: '$CRON_SECRET',
  nobody: null,
} as const;

/** A call and its answer, both ready to be shown: what changes from run to run stands as placeholders. */
export interface Exchange {
  /** As it stands in the story, with `{{name}}` for what earlier answers gave. */
  call: Call;
  status: number;
  /** Status line, the headers worth seeing, body. */
  answer: string;
  /** Parsed bodies; undefined where there is none, or it is no JSON. */
  sentJson?: unknown;
  answerJson?: unknown;
}

/** The call as a command to copy; `json` is printed over several lines where it is long. */
export function toCurl(call: Call): string {
  const { method, path, as = 'key', headers = {} } = call;
  const token = TOKENS[as];
  const body = toShellBody(call);
  const implied = body === null ? 'GET' : 'POST';
  const parts = [
    `curl -i${method === implied ? '' : ` -X ${method}`} "$BASE${toVariables(path)}"`,
    ...(token === null ? [] : [`-H "Authorization: Bearer ${token}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quotedWithVariables(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${body}`]),
  ];
  return parts.join(' \\\n  ');
}

function toShellBody({ json, raw, shell }: Call): string | null {
  if (shell !== undefined) return shell;
  if (raw !== undefined) return quoted(raw);
  if (json === undefined) return null;
  const text = quoted(prettyJson(json).replaceAll('\n', '\n  '));
  return text.replace(PLACEHOLDER, (_, name: string) => `'"$${name.toUpperCase()}"'`);
}

/** `{{name}}` is the variable `$NAME` of the shell. */
const PLACEHOLDER = /\{\{(\w{1,30})\}\}/g;
const toVariables = (text: string) =>
  text.replace(PLACEHOLDER, (_, name: string) => `$${name.toUpperCase()}`);
const quotedWithVariables = (text: string) =>
  text.includes('{{') ? `"${toVariables(text.replaceAll('"', '\\"'))}"` : quoted(text);

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON for readers: what fits stays on one line. */
export const prettyJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/\{[^{}[\]]{1,90}\}|\[[^{}[\]]{1,90}\]/g, (text) =>
    text.replaceAll(/\n\s*/g, ' '),
  );
