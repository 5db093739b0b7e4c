/** Whether a server is one of those in OUTBOUND_ALLOW (`host:port`, in lower case). `hostname` is as the URL parser writes it. */
export const isAllowedHost = (allow: ReadonlySet<string>, hostname: string, port: number | string): boolean =>
  allow.has(`${hostname.replace(/\.$/, '')}:${port}`);

/** Whether a URL of plain HTTP leads to one of them; false for any other scheme. */
export const isAllowedPlain = (allow: ReadonlySet<string>, url: URL | null): boolean =>
  url?.protocol === 'http:' && isAllowedHost(allow, url.hostname, url.port || 80);
