import { render } from 'preact';
import { loadChunk } from '../kit/chunks.ts';
import { kit } from '../kit/kit.ts';
import { addStyles } from '../kit/styles.ts';
import { LANGUAGES, type Panel, type Stage } from '../options.ts';
import { findTrucks } from '../trucks/find.ts';
import { app } from './app.tsx';
import { createDialog, type PanelDialog } from './dialog.ts';
import { recall, stored } from './memory.ts';
import { type Conversation, emptyModel } from './model.ts';
import { CHUNK_OF_VIEW, show } from './navigate.ts';
import css from './panel.css';
import { createRequest } from './requests.ts';
import type { Scene } from './scene.ts';
import { createTongue } from './tongue.ts';

/** Makes the panel, closed. */
export function mount(stage: Stage): Panel {
  addStyles(stage.root, css);
  const dialog = createDialog(stage);
  const scene = createScene(stage, dialog);
  const online = () => {
    flush(scene);
    if (scene.m.findFault?.kind === 'offline') findTrucks(scene);
  };
  addEventListener('online', online, { signal: scene.ended.signal });
  stage.changed = () => void (scene.m.trucks && follow(scene, false));
  flush(scene);
  return {
    open(view) {
      open(scene, dialog, !view);
      if (view) show(scene, 'trucks');
    },
    close: dialog.close,
    ask(text = '') {
      open(scene, dialog, false);
      show(scene, 'chat');
      loadChunk(scene, 'chat').then((chat) => chat?.ask(scene, text));
    },
    lead() {
      open(scene, dialog, false);
      show(scene, 'lead');
    },
    destroy() {
      dialog.close();
      scene.chunks.chat?.stop();
      for (const timer of Object.values(scene.timers)) clearTimeout(timer);
      scene.ended.abort();
      render(null, dialog.element);
    },
  };
}

function createScene(stage: Stage, dialog: PanelDialog): Scene {
  const { script, column, visitorId = '' } = stage;
  const { dealer = '', key = '' } = script.dataset;
  const scene: Scene = {
    ...createTongue(column),
    m: emptyModel(recall<Conversation>(dealer)),
    stage,
    data: script.dataset,
    base: script.src,
    who: { dealerSlug: dealer, visitorId, locale: `${LANGUAGES[column]}` },
    request: createRequest(new URL('/', script.src).href, key),
    draw: (focus) => draw(scene, dialog, focus),
    kit,
    chunks: {},
    ended: new AbortController(),
    timers: { typing: undefined, waiting: undefined, sending: undefined },
  };
  return scene;
}

function draw(scene: Scene, { element, close }: PanelDialog, focus?: string): void {
  render(app(scene, scene.m.trail.at(-1) ?? 'trucks', close), element);
  if (focus && element.open) element.querySelector<HTMLElement>(focus)?.focus();
}

/** Opens where the visitor was; `land`: on the page's truck when it is another one than before. */
function open(scene: Scene, dialog: PanelDialog, land: boolean): void {
  const { m, stage, who } = scene;
  stored('localStorage', who.dealerSlug, who.visitorId);
  dialog.open();
  scene.draw('#heading');
  if (!m.trucks && !m.finding) findTrucks(scene);
  flush(scene);
  const view = m.trail.at(-1) ?? 'trucks';
  if (view !== 'trucks') loadChunk(scene, CHUNK_OF_VIEW[view]).then(() => scene.draw());
  if (stage.readVin?.() || m.landed) follow(scene, land);
}

/** What the page's truck changes is that truck's chunk to know. */
const follow = (scene: Scene, land: boolean) =>
  loadChunk(scene, 'truck').then((truck) => truck?.follow(scene, land));

/** Sends what an earlier try, or an earlier page, left in the browser. */
function flush(scene: Scene): void {
  if (!stored('localStorage', `${scene.who.dealerSlug}:outbox`)) return;
  loadChunk(scene, 'form').then((form) => form?.flush(scene));
}
