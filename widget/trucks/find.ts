import { loadChunk } from '../kit/chunks.ts';
import type { Model, TruckList } from '../panel/model.ts';
import { hideChat, wait } from '../panel/navigate.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { accept, asFault } from '../panel/requests.ts';

/** Searching the dealer's trucks. */

const PAGE_SIZE = '12';
const TYPING_MS = 300;
/** The launcher's request counts as new for so long. */
const FIRST_FRESH_MS = 60_000;

/** Searches once the visitor has stopped typing. */
export function findSoon(panel: PanelContext): void {
  clearTimeout(panel.timers.typing);
  panel.timers.typing = setTimeout(() => findTrucks(panel), TYPING_MS);
}

/** Searches anew, or from a cursor on. */
export async function findTrucks(panel: PanelContext, cursor?: string | null): Promise<void> {
  const { m, draw, timers } = panel;
  clearTimeout(timers.typing);
  const searchNo = m.searchNo + 1;
  m.searchNo = searchNo;
  m.finding = true;
  m.findFault = null;
  // What fails is tried again from its beginning.
  if (!cursor) m.next = null;
  draw();
  const q = m.q.trim();
  const query = { sort: m.sort, limit: PAGE_SIZE, ...m.narrowed, ...(q && { q }), ...(cursor && { cursor }) };
  try {
    const page = await readPage(panel, query, m.trucks ? undefined : '');
    if (searchNo !== m.searchNo) return;
    m.trucks = [...((cursor && m.trucks) || []), ...page.vehicles];
    m.count = page.count;
    m.next = page.nextCursor;
    loadChunk(panel, 'later').then((later) => later?.begin(panel));
    if (!cursor) loadChunk(panel, 'narrow').then((narrow) => narrow?.take(panel, page));
  } catch (error) {
    if (searchNo !== m.searchNo) return;
    m.findFault = asFault(error);
    wait(panel, m.findFault);
  }
  m.finding = false;
  draw();
}

/** A page of trucks, from the launcher's request where that asked for the same (`vin`; '': the first page). */
export async function readPage(
  panel: PanelContext,
  query: Record<string, string>,
  vin: string | undefined,
): Promise<TruckList> {
  const { m, page, identity, request } = panel;
  const { first } = page;
  const isFresh = first && performance.now() - first.startedMs < FIRST_FRESH_MS;
  const reused = isFresh && vin === first.vin && (vin || isUnsearched(m));
  if (reused) first.startedMs = Number.NEGATIVE_INFINITY;
  const ask = () => request('inventory', { query: { ...identity, ...query } });
  const response = await (reused ? first.response.then(accept, ask) : ask());
  const list: TruckList = await response.json();
  m.dealer = list.dealer;
  m.chat = list.chat;
  if (!m.chat) hideChat(panel);
  // The launcher's answer is the same for all visitors, so this visit begins with the panel's request.
  if (reused) readPage(panel, { limit: '1' }, undefined).catch(() => {});
  else m.visit ??= list.visit;
  return list;
}

/** Whether the list is that of all trucks, the newest first. */
export const isUnsearched = ({ q, sort, narrowed }: Model) =>
  !q && sort === 'newest' && !Object.keys(narrowed)[0];
