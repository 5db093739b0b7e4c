/**
 * Which addresses anybody on the internet could reach as well. IPv6 beyond 2000::/3 is refused outright; within it,
 * and in IPv4, the special ranges of ipaddr.js (IANA's registries). NAT64, 6to4, Teredo, ISATAP and IPv4-mapped
 * addresses carry an IPv4 address that the check would not see.
 */

/** Public by the registries, but answered by the host of a virtual machine. */
const HOSTED_METADATA = new Set(['168.63.129.16']);

/** Takes what a resolver or the URL parser wrote, IPv6 without brackets. */
export async function isPublicAddress(text: string): Promise<boolean> {
  const { default: ipaddr } = await import('ipaddr.js');
  // parse() reads octal and short forms too; what is not spelled plainly is no public address.
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !HOSTED_METADATA.has(text);
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.IPv6.parse(text);
  const [first = 0, , , , fifth = 0, sixth = 0] = address.parts;
  const isatap = (fifth & ~0x0300) === 0 && sixth === 0x5efe;
  return first >> 13 === 1 && address.range() === 'unicast' && !isatap;
}
