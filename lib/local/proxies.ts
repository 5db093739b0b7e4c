import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Trusted proxies in front of this machine: their forwarded headers are believed, those of strangers are not. */
export interface Proxies {
  /** Addresses and CIDR ranges. */
  trusted: readonly string[];
  /** Where visitors reach the service. Null: at the Host that a proxy passes on, by the scheme that it names. */
  publicUrl: string | null;
}

/**
 * Reads whom a request is from, and the origin that the visitor called, which is null where no trusted proxy is between.
 */
export function createVisitReader({ trusted, publicUrl }: Proxies) {
  const proxies = toBlockList(trusted);
  const isTrusted = (ip: string) => isIP(ip) > 0 && proxies.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>) => {
    const peer = toAddress(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return { ip: peer, origin: null };
    const scheme = String(headers['x-forwarded-proto']).startsWith('https') ? 'https' : 'http';
    return {
      ip: findVisitor([...`${forwarded}`.split(',').map(toAddress), peer], isTrusted),
      origin: publicUrl ? new URL(publicUrl).origin : `${scheme}://${headers.host}`,
    };
  };
}

/** The last address that is no proxy of ours: those before it are what the visitor said. */
function findVisitor(hops: readonly string[], isTrusted: (ip: string) => boolean): string {
  const last = Math.max(
    0,
    hops.findLastIndex((hop) => !isTrusted(hop)),
  );
  const [visitor = '', proxy = ''] = hops.slice(last);
  return isIP(visitor) > 0 ? visitor : proxy;
}

/** IPv4 also for an IPv4 address on a dual-stack socket. */
const toAddress = (text: string): string => text.trim().replace(/^::ffff:(?=\d+\.)/i, '');

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const [family, bits] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(prefix ?? bits), family);
  }
  return list;
}
