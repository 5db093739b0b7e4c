import { OutboundFailure, type OutboundReason } from '../outbound.ts';
import { isAllowedHost } from './allowed-host.ts';
import { isPublicAddress } from './public-address.ts';
import { isPrivateName, type Resolve, resolveAllowedName, resolvePublicName } from './resolver.ts';

export interface AddressGuard {
  /** Exceptions as `host:port`, in lower case: any address, any port. */
  allow: ReadonlySet<string>;
  /** For tests. */
  resolve?: Resolve;
  /** For tests: ports that pass like the standard ones. */
  ports?: readonly number[];
}

/** A host as the URL parser writes it, IPv6 in brackets; '' if it is none. */
interface Target {
  hostname: string;
  port: number;
}

const isAllowed = ({ hostname, port }: Target, { allow }: AddressGuard): boolean =>
  isAllowedHost(allow, hostname, port);

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'sftp:': 22 };

/** Takes a URL of http, https or sftp. */
export function parseTarget(url: URL): Target {
  // The parser reads all spellings of a host only for schemes of the web.
  const hostname = URL.parse(`https://${url.hostname}/`)?.hostname ?? '';
  return { hostname, port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port) };
}

/** Returns why a URL is refused whatever its name resolves to; null if it may be fetched. */
export async function findRefusal(text: string, guard: AddressGuard): Promise<OutboundReason | null> {
  const url = URL.parse(text);
  if (url === null) return 'url_refused';
  const target = parseTarget(url);
  if (target.hostname === '') return 'url_refused';
  if (isAllowed(target, guard)) return null;
  const ports = url.protocol === 'sftp:' ? [22] : [80, 443];
  if (![...ports, ...(guard.ports ?? [])].includes(target.port)) return 'url_refused';
  const literal = literalAddress(target.hostname);
  const isPublic = literal === null ? !isPrivateName(target.hostname) : await isPublicAddress(literal);
  return isPublic ? null : 'address_refused';
}

/** Returns the address that a host is spelled as; null for a name. */
const literalAddress = (hostname: string): string | null =>
  /^\[(.*)\]$/.exec(hostname)?.[1] ?? (/^[\d.]+$/.test(hostname) ? hostname : null);

/** Returns every address of a URL's host; all of them have to be public. Throws `OutboundFailure`. */
export async function checkedAddresses(
  url: URL,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<string[]> {
  const refusal = await findRefusal(url.href, guard);
  if (refusal !== null) throw new OutboundFailure(refusal, 'neither this host nor this port');
  const target = parseTarget(url);
  const literal = literalAddress(target.hostname);
  if (literal !== null) return [literal];
  const isException = isAllowed(target, guard);
  const resolve = guard.resolve ?? (isException ? resolveAllowedName : resolvePublicName);
  const addresses = await resolveAddresses(target.hostname, resolve, signal);
  for (const address of addresses)
    if (!isException && !(await isPublicAddress(address)))
      throw new OutboundFailure('address_refused', 'not a public address');
  return addresses;
}

async function resolveAddresses(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const abort = Promise.withResolvers<never>();
  const end = () => abort.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const fail = (cause: unknown) => {
    throw new OutboundFailure('dns_failed', 'the name does not resolve', cause);
  };
  const addresses = await Promise.race([resolve(hostname).catch(fail), abort.promise]);
  return addresses.length > 0 ? addresses : fail('no address');
}
