/** All addresses of a name, IPv4 first. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Reserved for private use (RFC 6761, 6762, 7686, 8375): no public server answers to them. */
const PRIVATE = /(^|\.)(localhost|local|internal|home\.arpa|onion)\.?$/i;
/** The same, for documentation and tests (RFC 2606). */
const DOCUMENTED = /(^|\.)(example|invalid|test)\.?$/i;

/** Whether a name is of a private network, whatever it resolves to. */
export const isPrivateName = (hostname: string): boolean => PRIVATE.test(hostname);

/**
 * Asks the name server, over the network: unlike `lookup`, it neither reads the hosts file nor holds a thread of the
 * pool that file access and image processing need.
 */
export const resolvePublicName: Resolve = async (hostname) => {
  if (DOCUMENTED.test(hostname)) throw new Error(`${hostname} is a reserved name`);
  const { Resolver } = await import('node:dns/promises');
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** As every other program of this machine would: for the names the operator has allowed. */
export const resolveAllowedName: Resolve = async (hostname) => {
  const { lookup } = await import('node:dns/promises');
  const addresses = await lookup(hostname, { all: true, order: 'ipv4first' });
  return addresses.map(({ address }) => address);
};
