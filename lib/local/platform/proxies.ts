import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Proxies of one's own in front of this machine: what they say of a visitor is believed, unlike what strangers say. */
export interface Proxies {
  /** Addresses and CIDR ranges. */
  trusted: readonly string[];
  /** Where visitors reach the service. Null: at the Host that a proxy passes on, by the scheme that it names. */
  publicUrl: string | null;
}

/** Who a request is of, and by what origin it was called. */
export interface Visit {
  ip: string;
  protocol: string;
  host: string;
}

/** The visit of a request that a trusted proxy passes on; null for all others. */
export type ReadVisit = (headers: IncomingHttpHeaders, peer: string) => Visit | null;

export function createVisitReader({ trusted, publicUrl }: Proxies): ReadVisit {
  const proxies = toBlockList(trusted);
  const isTrusted = (ip: string) => proxies.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  const url = publicUrl === null ? null : new URL(publicUrl);
  return (headers, peer) => {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return null;
    const scheme = String(headers['x-forwarded-proto']).startsWith('https') ? 'https' : 'http';
    return {
      ip: findVisitor(`${forwarded}`.split(','), peer, isTrusted),
      protocol: url?.protocol.slice(0, -1) ?? scheme,
      host: url?.host ?? headers.host ?? '',
    };
  };
}

/** The last address that is no proxy of ours: those before it are what the visitor said. */
function findVisitor(hops: string[], peer: string, isTrusted: (ip: string) => boolean): string {
  let ip = peer;
  for (const hop of hops.reverse()) {
    if (!isTrusted(ip) || isIP(hop.trim()) === 0) break;
    ip = withoutMapping(hop.trim());
  }
  return ip;
}

/** IPv4 also for an IPv4 address on a dual-stack socket. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const [family, all] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(prefix ?? all), family);
  }
  return list;
}
