/** The caller's network as a limiter subject: the platform sets x-real-ip itself and overwrites what a client sends. */
export const callerAddress = (request: Request): string =>
  toNetwork(request.headers.get('x-real-ip')?.trim().toLowerCase() ?? '');

/** An IPv4 address, or the /64 of an IPv6 address, the smallest net a single subscriber gets. */
function toNetwork(address: string): string {
  if (address === '') return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped?.[1]) return mapped[1];
  return address.includes(':') ? `${toPrefix(address)}::/64` : address;
}

function toPrefix(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
