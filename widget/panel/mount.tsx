import { render } from 'preact';
import { loadChunk } from '../kit/chunks.ts';
import { kit } from '../kit/kit.ts';
import { addStyles } from '../kit/styles.ts';
import { LANGUAGES, type PageContext, type Panel } from '../options.ts';
import { findTrucks } from '../trucks/find.ts';
import { app } from './app.tsx';
import { createDialog, type PanelDialog } from './dialog.ts';
import { createLocale } from './locale.ts';
import { recall, stored } from './memory.ts';
import { type Conversation, emptyModel } from './model.ts';
import { CHUNK_OF_VIEW, show } from './navigate.ts';
import css from './panel.css';
import type { PanelContext } from './panel-context.ts';
import { createRequest } from './requests.ts';

/** Makes the panel, closed. */
export function mount(page: PageContext): Panel {
  addStyles(page.root, css);
  const dialog = createDialog(page);
  const panel = createPanelContext(page, dialog);
  const online = () => {
    flush(panel);
    if (panel.m.findFault?.kind === 'offline') findTrucks(panel);
  };
  addEventListener('online', online, { signal: panel.ended.signal });
  page.changed = () => void (dialog.element.open && follow(panel, false, false));
  flush(panel);
  return {
    open(view) {
      open(panel, dialog, !view);
      if (view && (view !== 'find' || panel.m.trail[0] === 'chat')) show(panel, 'trucks');
    },
    close: dialog.close,
    ask(text = '') {
      open(panel, dialog, false);
      show(panel, 'chat');
      loadChunk(panel, 'chat').then((chat) => chat?.ask(panel, text));
    },
    lead() {
      open(panel, dialog, false);
      show(panel, 'lead');
    },
    destroy() {
      dialog.close();
      panel.chunks.chat?.stop();
      for (const timer of Object.values(panel.timers)) clearTimeout(timer);
      panel.ended.abort();
      render(null, dialog.element);
    },
  };
}

function createPanelContext(page: PageContext, dialog: PanelDialog): PanelContext {
  const { script, column, visitorId = '' } = page;
  const { dealer = '', key = '' } = script.dataset;
  const panel: PanelContext = {
    ...createLocale(column),
    m: emptyModel(recall<Conversation>(dealer)),
    page,
    data: script.dataset,
    base: script.src,
    identity: { dealerSlug: dealer, visitorId, locale: `${LANGUAGES[column]}` },
    request: createRequest(new URL('/', script.src).href, key),
    draw: (focus) => draw(panel, dialog, focus),
    kit,
    chunks: {},
    ended: new AbortController(),
    timers: {},
  };
  panel.m.dealer ??= { name: page.label, phone: script.dataset.phone ?? null };
  return panel;
}

function draw(panel: PanelContext, { element, close }: PanelDialog, focus?: string): void {
  render(app(panel, panel.m.trail.at(-1) ?? 'trucks', close), element);
  if (focus && element.open) element.querySelector<HTMLElement>(focus)?.focus();
}

/** Opens where the visitor was; `land`: on the page's truck when it is another one than before. */
function open(panel: PanelContext, dialog: PanelDialog, land: boolean): void {
  const { m, page, identity } = panel;
  stored('localStorage', identity.dealerSlug, identity.visitorId);
  dialog.open();
  panel.draw('#heading');
  if (!m.trucks && !m.finding) findTrucks(panel);
  flush(panel);
  const view = m.trail.at(-1) ?? 'trucks';
  if (view !== 'trucks') loadChunk(panel, CHUNK_OF_VIEW[view]).then(() => panel.draw());
  if (page.readVin?.() || m.landed) follow(panel, land);
}

/** The truck's chunk decides what the page's truck changes. */
const follow = (panel: PanelContext, land: boolean, replaces = true) =>
  loadChunk(panel, 'truck').then((truck) => truck?.follow(panel, land, replaces));

/** Sends what an earlier try, or an earlier page, left in the browser. */
function flush(panel: PanelContext): void {
  if (!stored('localStorage', `${panel.identity.dealerSlug}:outbox`)) return;
  loadChunk(panel, 'form').then((form) => form?.flush(panel));
}
