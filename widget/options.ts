/** What launcher and panel agree on. A page may hold an older launcher than the panel it loads: only ever add. */

/** Languages the widget speaks; words stand in tables with a column for each. */
export const LANGUAGES = ['en', 'es', 'fr'] as const;

/** `ready` and `close` tell nothing more, `open` neither; `message` { text }, `lead` { leadId: string | null }. */
export type EventName = 'ready' | 'open' | 'close' | 'message' | 'lead';

/** What the launcher hands to the panel. */
export interface Stage {
  /** The tag; its data attributes are the options. */
  script: HTMLScriptElement;
  /** Of the language in `LANGUAGES`. */
  column: number;
  label: string;
  root: ShadowRoot;
  /** Holds the button; the panel goes beside it. */
  frame: HTMLElement;
  button: HTMLElement;
  tell(event: EventName, detail?: object): void;
}

/** What a loaded panel can do. */
export interface Panel {
  open(): void;
  close(): void;
  /** Opens, and sends a message to the chat. */
  ask(text?: string): void;
  /** The page shows another truck now: `data-vin` says which. */
  vehicle(): void;
  /** Opens with the form, for a truck or in general. */
  lead(vin?: string): void;
  destroy(): void;
}
