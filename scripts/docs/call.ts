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

const WIDTH = 60;

/** How a value that is no list and no object is written. */
type WriteScalar = (value: unknown) => string;
const asJson: WriteScalar = (value) => JSON.stringify(value);

/** JSON for readers: what fits stays on one line. */
export function prettyJson(value: unknown, indent = '', write = asJson): string {
  const short = oneLine(value, write);
  if (typeof value !== 'object' || value === null) return short;
  const isShort = short.length + indent.length <= WIDTH && (indent !== '' || short.length <= 60);
  if (isShort) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null)) return filled(value, indent, write);
    return `[\n${value.map((item) => inner + prettyJson(item, inner, write)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${prettyJson(member, inner, write)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown, write: WriteScalar): string {
  if (Array.isArray(value)) return `[${value.map((item) => oneLine(item, write)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return write(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member, write)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A list of short items, as many to a line as fit. */
function filled(items: readonly unknown[], indent: string, write: WriteScalar): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  let line = inner;
  items.forEach((item, at) => {
    const text = write(item) + (at === items.length - 1 ? '' : ',');
    if (line !== inner && line.length + text.length + 1 > WIDTH) {
      lines.push(line);
      line = inner;
    }
    line += line === inner ? text : ` ${text}`;
  });
  return `[\n${[...lines, line].join('\n')}\n${indent}]`;
}
