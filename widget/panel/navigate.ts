import type { Card } from '../../lib/search/widget/widget.ts';
import { loadChunk } from '../kit/chunks.ts';
import type { View } from './model.ts';
import type { PanelContext } from './panel-context.ts';
import type { Fault } from './requests.ts';

/** Moves between views, and keeps what is remembered on the way. */

/** The chunk that draws a view. */
export const CHUNK_OF_VIEW = { truck: 'truck', chat: 'chat', lead: 'form', receipt: 'form' } as const;

export function show(panel: PanelContext, view: View, focus = '.start'): void {
  const { m, draw, chunks } = panel;
  const root = m.trail[0] ?? 'trucks';
  const onward = { trucks: [], chat: [], receipt: [root], truck: m.trail, lead: m.trail }[view];
  m.trail = [...onward.filter((each) => each !== view), view];
  draw(focus);
  if (view in CHUNK_OF_VIEW) {
    const chunk = CHUNK_OF_VIEW[view as keyof typeof CHUNK_OF_VIEW];
    if (!chunks[chunk]) loadChunk(panel, chunk).then((loaded) => loaded && draw(focus));
  }
}

/** Shows a truck, which the conversation is about from now on. */
export function showTruck(panel: PanelContext, truck: Card): void {
  panel.m.truck = truck;
  panel.m.about = truck;
  show(panel, 'truck', '.body');
}

export function goBack({ m, draw }: PanelContext): void {
  const last = m.trail.pop();
  draw(last === 'truck' ? `[data-vin="${m.truck?.vin}"]` : '.start');
}

/** Removes every way to the chat. */
export function hideChat({ m }: PanelContext): void {
  m.chat = false;
  m.trail = m.trail.map((view) => (view === 'chat' ? 'trucks' : view));
}

/** Keeps what a reload must not lose. */
export const keep = (panel: PanelContext) => loadChunk(panel, 'later').then((later) => later?.keep(panel));

/** Counts down for requests that were refused for a while. */
export const wait = (panel: PanelContext, fault: Fault) =>
  loadChunk(panel, 'later').then((later) => later?.wait(panel, fault));
