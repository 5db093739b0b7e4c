import type { Card } from '../../lib/contract/widget/widget.ts';
import { loadChunk } from '../kit/chunks.ts';
import type { View } from './model.ts';
import type { Fault } from './requests.ts';
import type { Scene } from './scene.ts';

/** From view to view, and what is remembered on the way. */

/** The chunk that draws a view. */
export const CHUNK_OF_VIEW = { truck: 'truck', chat: 'chat', lead: 'form', sent: 'form' } as const;

export function show(scene: Scene, view: View, focus = '.start'): void {
  const { m, draw, chunks } = scene;
  const root = m.trail[0] ?? 'trucks';
  const onward = { trucks: [], chat: [], sent: [root], truck: m.trail, lead: m.trail }[view];
  m.trail = [...onward.filter((each) => each !== view), view];
  draw(focus);
  if (view in CHUNK_OF_VIEW) {
    const chunk = CHUNK_OF_VIEW[view as keyof typeof CHUNK_OF_VIEW];
    if (!chunks[chunk]) loadChunk(scene, chunk).then((loaded) => loaded && draw(focus));
  }
}

/** Shows a truck, which the conversation is about from now on. */
export function showTruck(scene: Scene, truck: Card): void {
  scene.m.truck = truck;
  scene.m.about = truck;
  show(scene, 'truck', '.body');
}

export function goBack({ m, draw }: Scene): void {
  const last = m.trail.pop();
  draw(last === 'truck' ? `[data-vin="${m.truck?.vin}"]` : '.start');
}

/** Takes every way to the chat away. */
export function hideChat({ m }: Scene): void {
  m.chat = false;
  m.trail = m.trail.map((view) => (view === 'chat' ? 'trucks' : view));
}

/** Keeps what a reload must not lose. */
export const keep = (scene: Scene) => loadChunk(scene, 'later').then((later) => later?.keep(scene));

/** Counts down for requests that were refused for a while. */
export const wait = (scene: Scene, fault: Fault) =>
  loadChunk(scene, 'later').then((later) => later?.wait(scene, fault));
