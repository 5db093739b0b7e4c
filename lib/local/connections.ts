import type { Socket } from 'node:net';
import { toNetwork } from '../http/guards/address.ts';

/**
 * Open connections by the network they come from. When there are more than `max`, the network that has the most gives
 * one up, an idle one if it has any, so that nobody takes the places of all others.
 */
export class Connections {
  readonly #byNetwork = new Map<string, Set<Socket>>();
  readonly #max: number;
  readonly #isIdle: (socket: Socket) => boolean;
  #count = 0;

  constructor(max: number, isIdle: (socket: Socket) => boolean) {
    this.#max = max;
    this.#isIdle = isIdle;
  }

  add(socket: Socket): void {
    const network = toNetwork(socket.remoteAddress ?? '');
    const own = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, own.add(socket));
    this.#count += 1;
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#byNetwork.delete(network);
      this.#count -= 1;
    });
    if (this.#count > this.#max) this.#giveUpOne();
  }

  #giveUpOne(): void {
    let most: ReadonlySet<Socket> = new Set();
    for (const own of this.#byNetwork.values()) if (own.size > most.size) most = own;
    const open = [...most].filter(({ destroyed }) => !destroyed);
    (open.find(this.#isIdle) ?? open[0])?.destroy();
  }
}
