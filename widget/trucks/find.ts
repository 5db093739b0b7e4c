import type { Card } from '../../lib/contract/widget/widget.ts';
import { loadChunk } from '../kit/chunks.ts';
import type { Page } from '../panel/model.ts';
import { hideChat, wait } from '../panel/navigate.ts';
import { accept, asFault, timeLimit } from '../panel/requests.ts';
import type { Scene } from '../panel/scene.ts';

/** Searching the dealer's trucks. */

const PAGE_SIZE = '12';
const TYPING_MS = 300;
/** The launcher's request counts as new for so long. */
const FIRST_FRESH_MS = 60_000;

/** Which search is the newest, so that an answer that comes late replaces nothing. */
const newest = new WeakMap<Scene, number>();

/** Finds when the visitor has stopped typing. */
export function findSoon(scene: Scene): void {
  clearTimeout(scene.timers.typing);
  scene.timers.typing = setTimeout(() => findTrucks(scene), TYPING_MS);
}

/** Searches anew, or goes on at a cursor. */
export async function findTrucks(scene: Scene, cursor?: string | null): Promise<void> {
  const { m, draw, timers } = scene;
  clearTimeout(timers.typing);
  const turn = (newest.get(scene) ?? 0) + 1;
  newest.set(scene, turn);
  m.finding = true;
  m.findFault = null;
  // What fails is tried again from its beginning.
  if (!cursor) m.next = null;
  draw();
  const q = m.q.trim();
  const query = { sort: m.sort, limit: PAGE_SIZE, ...m.narrowed, ...(q && { q }), ...(cursor && { cursor }) };
  try {
    const page = await readPage(scene, query, m.trucks ? undefined : '');
    if (turn !== newest.get(scene)) return;
    m.trucks = [...((cursor && m.trucks) || []), ...page.vehicles];
    m.count = page.count;
    m.next = page.nextCursor;
    if (!cursor) loadChunk(scene, 'narrow').then((narrow) => narrow?.take(scene, page));
  } catch (error) {
    if (turn !== newest.get(scene)) return;
    m.findFault = asFault(error);
    wait(scene, m.findFault);
  }
  m.finding = false;
  draw();
}

/** Reads which truck the page is about, and its facts when that changed. */
export async function loadPageTruck(scene: Scene): Promise<Card | null> {
  const { m, stage, draw } = scene;
  const vin = stage.readVin?.() ?? '';
  if (vin === m.pageVin) return m.pageTruck;
  m.pageVin = vin;
  m.pageTruck = null;
  m.about = null;
  try {
    const page = vin ? await readPage(scene, { vin }, vin) : null;
    if (m.pageVin !== vin) return null;
    m.pageTruck = page?.vehicles[0] ?? null;
    m.about = m.pageTruck;
  } catch {
    // The conversation goes on without it; the next opening tries again.
    if (m.pageVin === vin) m.pageVin = undefined;
  }
  draw();
  return m.pageTruck;
}

/** A page of trucks, from the launcher's request where that asked for the same (`vin`; '': the first page). */
async function readPage(scene: Scene, query: Record<string, string>, vin: string | undefined): Promise<Page> {
  const { m, stage, who, request } = scene;
  const { first } = stage;
  const isFresh = first && performance.now() - first.startedMs < FIRST_FRESH_MS;
  const reused = isFresh && vin === first.vin && !m.q && m.sort === 'newest';
  if (reused) first.startedMs = Number.NEGATIVE_INFINITY;
  const response = await (reused
    ? withinLimit(first.response)
    : request('inventory', { query: { ...who, ...query } }));
  const page: Page = await response.json();
  m.dealer = page.dealer ?? m.dealer;
  m.chat = page.chat ?? true;
  if (!m.chat) hideChat(scene);
  m.visit ??= page.visit;
  return page;
}

async function withinLimit(response: Promise<Response>): Promise<Response> {
  const limit = timeLimit();
  const expired = new Promise<never>((_, reject) =>
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason)),
  );
  try {
    return await accept(await Promise.race([response, expired]));
  } finally {
    limit.end();
  }
}
