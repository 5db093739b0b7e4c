import type { Ports } from '../ports.ts';

/** `prefix_` and 24 random hexadecimal digits. */
export function newId({ random }: Pick<Ports, 'random'>, prefix: string): string {
  return `${prefix}_${Buffer.from(random.bytes(12)).toString('hex')}`;
}
