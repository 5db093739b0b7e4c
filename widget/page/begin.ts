import { type Call, type Drawn, type EventName, LANGUAGES, type Panel, type Stage } from '../options.ts';
import { listen } from './buttons.ts';
import { offerCall } from './call.ts';
import { watch } from './watch.ts';

/** Answers what visitors and pages ask of one dealer's widget. */
export function begin(drawn: Drawn, early: Call[]): (call: Call) => unknown {
  const { script, column, label, root, button } = drawn;
  const { dataset } = script;
  const { host } = root;
  let words = label;
  const stage: Stage = {
    ...drawn,
    stated: { vin: dataset.vin, address: location.href },
    emit: (event, detail = {}) => host.dispatchEvent(new CustomEvent(event, { detail })),
    show(next = label) {
      words = dataset.label || next;
      button.textContent = words;
    },
    load: () => load().catch(() => {}),
    destroy: () => calls.destroy(),
  };
  const load = createLoader(stage, `widget-panel-${LANGUAGES[column]}`, () => {
    button.textContent = words;
  });
  const calls = createCalls(stage, load);
  const act = ([name, ...args]: Call) =>
    (calls as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
  watch(stage);
  listen();
  early.splice(0).forEach(act);
  stage.emit('ready');
  return act;
}

/** Loads the panel once. After a failure the next call tries another address: browsers remember failures. */
function createLoader(stage: Stage, file: string, loaded: () => void): () => Promise<Panel> {
  let loading: Promise<Panel> | undefined;
  let failures = '';
  const load = async (): Promise<Panel> => {
    try {
      const address = new URL(`${file}.${VERSION}.js${failures}`, stage.script.src);
      const { mount } = await import(address.href);
      loaded();
      return mount(stage);
    } catch (error) {
      failures += '?';
      loading = undefined;
      stage.button.textContent = 'Offline';
      offerCall(stage);
      throw error;
    }
  };
  return () => {
    loading ??= load();
    return loading;
  };
}

/** What pages call. */
function createCalls(stage: Stage, load: () => Promise<Panel>) {
  const { root, script, dealers } = stage;
  let panel: Panel | undefined;
  const opening = (name: 'open' | 'ask' | 'lead') => (value?: string) =>
    load().then(
      (loaded) => {
        panel = loaded;
        if (root.host.isConnected) panel[name](value);
      },
      () => {},
    );
  const state = (vin: string | undefined, address = location.href) => {
    stage.stated = { vin, address };
    stage.look?.();
  };
  return {
    load: stage.load,
    open: opening('open'),
    ask: opening('ask'),
    lead(vin?: string) {
      if (vin) state(vin);
      return opening('lead')();
    },
    close: () => panel?.close(),
    vehicle: (vin?: string | null) => state(vin ?? '', ''),
    /** The page has the tag again, after a swap of its content. */
    again: ({ dataset }: HTMLScriptElement) => state(dataset.vin),
    on(event: EventName, listener: (detail: object) => void) {
      root.host.addEventListener(event, ({ detail }: CustomEventInit) => listener(detail));
    },
    destroy() {
      clearInterval(stage.timer);
      panel?.destroy();
      root.host.remove();
      delete dealers[`${script.dataset.dealer}`];
      window.TruckWidget = Object.values(dealers)[0];
    },
  };
}
