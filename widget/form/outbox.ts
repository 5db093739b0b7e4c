/** Enquiries that are not with the dealer yet, oldest first: in the browser's storage until the service answers. */

export interface Enquiry {
  id: string;
  storedAt: number;
  body: Record<string, unknown> & { message: string };
}

export interface Store {
  read(): string | null;
  write(text: string | null): void;
}

/** A dealer who has not answered for so long is not waited for. */
const MAX_AGE_MS = 14 * 86_400_000;

export function createOutbox(store: Store, now = Date.now) {
  /** Where the browser stores nothing. */
  let unstored: Enquiry[] = [];

  function list(): Enquiry[] {
    try {
      const stored: Enquiry[] = JSON.parse(store.read() ?? '[]');
      return [...stored, ...unstored.filter(({ id }) => !stored.some((each) => each.id === id))].filter(
        ({ storedAt }) => now() - storedAt < MAX_AGE_MS,
      );
    } catch {
      return unstored;
    }
  }

  function write(enquiries: Enquiry[]): void {
    const text = enquiries.length > 0 ? JSON.stringify(enquiries) : null;
    store.write(text);
    unstored = store.read() === text ? [] : enquiries;
  }

  return {
    list,
    add: (enquiry: Enquiry) => write([...list(), enquiry]),
    remove: (id: string) => write(list().filter((each) => each.id !== id)),
  };
}
