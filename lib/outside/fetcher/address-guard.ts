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

/** A host as the URL parser writes it, IPv6 in brackets; '' for what is none. */
export interface Target {
  hostname: string;
  port: number;
}

const isAllowed = ({ hostname, port }: Target, { allow }: AddressGuard): boolean =>
  isAllowedHost(allow, hostname, port);

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'sftp:': 22 };

/** Of a URL that is http, https or sftp. */
export function parseTarget(url: URL): Target {
  // Only of the web's own schemes the parser reads all spellings of a host.
  const hostname = URL.parse(`https://${url.hostname}/`)?.hostname ?? '';
  return { hostname, port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port) };
}

export function isPortRefused(url: URL, guard: AddressGuard): boolean {
  const target = parseTarget(url);
  const standard = url.protocol === 'sftp:' ? [22] : [80, 443];
  return ![...standard, ...(guard.ports ?? [])].includes(target.port) && !isAllowed(target, guard);
}

/** Why a URL is refused whatever its name resolves to; null: it may be asked. */
export async function findRefusal(text: string, guard: AddressGuard): Promise<OutboundReason | null> {
  const url = URL.parse(text);
  if (url === null || isPortRefused(url, guard)) return 'url_refused';
  const target = parseTarget(url);
  if (target.hostname === '') return 'url_refused';
  if (isAllowed(target, guard)) return null;
  const literal = literalAddress(target.hostname);
  const isPublic = literal === null ? !isPrivateName(target.hostname) : await isPublicAddress(literal);
  return isPublic ? null : 'address_refused';
}

/** The address that a host is spelled as; null for a name. */
const literalAddress = (hostname: string): string | null =>
  /^\[(.*)\]$/.exec(hostname)?.[1] ?? (/^[\d.]+$/.test(hostname) ? hostname : null);

/** Every address of the host; all of them have to be public. Throws `OutboundFailure`. */
export async function checkedAddresses(
  target: Target,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<string[]> {
  const { hostname } = target;
  const allowed = isAllowed(target, guard);
  const literal = literalAddress(hostname);
  const resolve = guard.resolve ?? (allowed ? resolveAllowedName : resolvePublicName);
  const addresses = literal === null ? await resolved(hostname, resolve, signal) : [literal];
  if (allowed) return addresses;
  for (const address of addresses)
    if (!(await isPublicAddress(address)))
      throw new OutboundFailure('address_refused', 'not a public address');
  return addresses;
}

async function resolved(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  try {
    const addresses = await Promise.race([resolve(hostname, signal), aborted(signal)]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new OutboundFailure('dns_failed', 'the name does not resolve', error);
  }
  throw new OutboundFailure('dns_failed', 'the name has no address');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
