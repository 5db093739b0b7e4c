/** What launcher, page and panel agree on. A page may hold an older launcher than the files it loads: only ever add. */

/** Languages the widget speaks; words stand in tables with a column for each. */
export const LANGUAGES: readonly string[] = ['en', 'es', 'fr'];

/** `message` comes with { text }, `lead` with { leadId: string | null }, the others with nothing. */
export type EventName = 'ready' | 'open' | 'close' | 'message' | 'lead';

/** The name of one of the calls, and what it gets. */
export type Call = [name: string, ...args: unknown[]];

/** What pages call: `open`, `lead` and the others beside these. */
export interface Widgets {
  /** Every dealer's widget on the page, by slug. */
  dealers: Record<string, Widgets>;
  push(call: Call): unknown;
}

/** What the launcher hands to the page's file. */
export interface LauncherContext {
  /** The tag; its data attributes are the options. */
  script: HTMLScriptElement;
  /** Index of the language in `LANGUAGES`. */
  column: number;
  label: string;
  root: ShadowRoot;
  /** Contains the button; the panel goes beside it. */
  frame: HTMLElement;
  button: HTMLElement;
  dealers: Widgets['dealers'];
}

/** The one request before a visitor reaches for the button: the page's truck, or the newest trucks. */
export interface FirstRequest {
  vin: string;
  startedMs: number;
  response: Promise<Response>;
}

/** What the page's file hands to the panel. */
export interface PageContext extends LauncherContext {
  /** The VIN that the page states, for one address or, without one, for all. */
  stated: { vin: string | undefined; address: string };
  emit(event: EventName, detail?: object): void;
  /** Writes the button's words: by default the label. */
  show(words?: string): void;
  /** Loads the panel; a failure is ignored. */
  load(): Promise<unknown>;
  destroy(): void;

  /** Set by `watch` of the page's file. */
  visitorId?: string;
  first?: FirstRequest;
  /** VIN that the page is about now; empty: none, or several. */
  readVin?(): string;
  /** Reads the page's VIN again now. */
  look?(): void;
  timer?: ReturnType<typeof setInterval>;
  /** Offers the dealer's phone: the panel cannot be loaded. */
  offerCall?(): void;
  /** Set by the panel: the page is about another truck now. */
  changed?(): void;
}

/** What a loaded panel can do. */
export interface Panel {
  /** Opens where the visitor was. `find`: the search instead of the chat; `trucks`: the search. */
  open(view?: string): void;
  close(): void;
  /** Opens, and sends a message to the chat. */
  ask(text?: string): void;
  /** Opens with the form for the page's truck, or in general. */
  lead(): void;
  destroy(): void;
}
