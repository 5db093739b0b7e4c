import { kit } from '../kit/lent.ts';
import type { Subject } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';

/** Enquiries that are not with the dealer yet, oldest first: in the browser's storage until the service accepts them. */

export interface Enquiry {
  id: string;
  storedAt: number;
  body: Record<string, unknown> & { message: string };
  /** The field for which the service refused it ('': none in particular): it waits for the visitor. */
  refusedField?: string;
  /** The truck it is about. */
  about?: Subject | null | undefined;
}

export interface Store {
  read(): string | null;
  write(text: string | null): void;
}

/** An enquiry that could not be delivered for so long is dropped. */
const MAX_AGE_MS = 14 * 86_400_000;

const outboxes = new WeakMap<PanelContext, ReturnType<typeof createOutbox>>();

export function outboxFor(panel: PanelContext) {
  const name = `${panel.identity.dealerSlug}:outbox`;
  const outbox =
    outboxes.get(panel) ??
    createOutbox({
      read: () => kit.stored('localStorage', name),
      write: (text) => void kit.stored('localStorage', name, text),
    });
  outboxes.set(panel, outbox);
  return outbox;
}

function createOutbox(store: Store, now = Date.now) {
  /** Enquiries that the browser could not store. */
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
    /** Replaces the enquiry with the same id, if there is one. */
    put(enquiry: Enquiry) {
      const others = list();
      const at = others.findIndex(({ id }) => id === enquiry.id);
      write(at < 0 ? [...others, enquiry] : others.with(at, enquiry));
    },
    remove: (id: string) => write(list().filter((each) => each.id !== id)),
    /** False: what waits is lost with the page. */
    isStored: () => unstored.length === 0,
  };
}
