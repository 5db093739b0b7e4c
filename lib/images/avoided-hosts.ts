/** Failures of a host in a row before the rest of it waits: one large photo is no slow host. */
const MAX_FAILURES = 3;

/** Hosts that one run asks for nothing more, so that their images keep no worker from others'. */
export class AvoidedHosts {
  readonly #failures = new Map<string, number>();

  has(host: string): boolean {
    return (this.#failures.get(host) ?? 0) >= MAX_FAILURES;
  }

  record(host: string, hasFailed: boolean): void {
    this.#failures.set(host, hasFailed ? (this.#failures.get(host) ?? 0) + 1 : 0);
  }
}
