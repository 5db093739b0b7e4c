/** What of the widget a page's Content-Security-Policy refuses. */

/** Directives that say where the script, its calls and its photos may come from; the first one that is there counts. */
const NEEDS = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
  'img-src': ['img-src', 'default-src'],
} as const;

export type Need = keyof typeof NEEDS;

export interface Origins {
  /** Where the widget comes from. */
  service: URL;
  page: URL;
  /** Of the widget's tag. */
  nonce: string | undefined;
}

/** As much as is read of a page's policies: more than any has. */
const MAX_POLICIES = 20;
const MAX_POLICY = 16 * 1024;

/** The directives that would have to allow the service's address. Every policy of a page has to. */
export function findRefused(policies: readonly string[], origins: Origins): Need[] {
  const parsed = policies.slice(0, MAX_POLICIES).map((policy) => readDirectives(policy.slice(0, MAX_POLICY)));
  return (Object.keys(NEEDS) as Need[]).filter((need) =>
    parsed.some((directives) => {
      const sources = NEEDS[need].map((name) => directives.get(name)).find((found) => found !== undefined);
      return sources !== undefined && !sources.some((source) => allows(source, need, origins));
    }),
  );
}

function readDirectives(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s/).filter(Boolean);
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function allows(source: string, need: Need, { service, page, nonce }: Origins): boolean {
  const text = source.toLowerCase();
  if (text === '*') return true;
  if (text === "'self'") return page.origin === service.origin;
  if (text.startsWith("'nonce-")) return need === 'script-src' && !!nonce && source.slice(7, -1) === nonce;
  if (text.startsWith("'")) return false;
  if (text.endsWith(':')) return isScheme(text, service);
  return isHost(text, service, page);
}

/** `http:` stands for https, too. */
const isScheme = (scheme: string, { protocol }: URL) =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:');

/** `[scheme://]host[:port][/]`; one that names a path does not allow the widget's other files. */
function isHost(text: string, service: URL, page: URL): boolean {
  const [scheme, rest] = text.includes('://') ? text.split('://', 2) : [page.protocol.slice(0, -1), text];
  const [authority = '', ...path] = `${rest}`.split('/');
  const [host = '', port = ''] = authority.split(':');
  const usual = service.protocol === 'https:' ? '443' : '80';
  const isPort = port === '*' || (port || usual) === (service.port || usual);
  const isName = host.startsWith('*.') ? service.hostname.endsWith(host.slice(1)) : host === service.hostname;
  return isScheme(`${scheme}:`, service) && isPort && isName && path.join('') === '';
}
