import type { ComponentChildren } from 'preact';
import type { Card } from '../../lib/search/widget/widget.ts';
import type { PageContext } from '../options.ts';
import type { Locale } from './locale.ts';
import type { Model, TruckList } from './model.ts';
import type { Fault, Request } from './requests.ts';

/** Chunks take over what the panel has loaded already. */
interface Lent {
  lend(kit: object, root: ShadowRoot): void;
}

/** Parts of the panel that are loaded when they are first needed. */
export interface Chunks {
  chat: Lent & {
    chat(panel: PanelContext): ComponentChildren;
    ask(panel: PanelContext, text: string): Promise<void>;
    stop(): void;
  };
  truck: Lent & {
    truck(panel: PanelContext): ComponentChildren;
    follow(panel: PanelContext, land: boolean, replaces?: boolean): Promise<void>;
  };
  later: Lent & {
    begin(panel: PanelContext): void;
    keep(panel: PanelContext): void;
    wait(panel: PanelContext, fault: Fault): void;
    more(panel: PanelContext): ComponentChildren;
    logo(panel: PanelContext): ComponentChildren;
    blur(canvas: HTMLCanvasElement | null, placeholder: string): Promise<void>;
  };
  narrow: Lent & {
    /** Takes over facets, readings and closest trucks of an answer. */
    take(panel: PanelContext, page: TruckList): void;
    /** How many there are; empty while that is not known. */
    countText(panel: PanelContext): string;
    narrow(panel: PanelContext): ComponentChildren;
    reading(panel: PanelContext): ComponentChildren;
    closest(panel: PanelContext): ComponentChildren;
  };
  form: Lent & {
    lead(panel: PanelContext): ComponentChildren;
    receipt(panel: PanelContext): ComponentChildren;
    /** Sends what is in the form; `vin`: that the visitor wants this truck, too. */
    send(panel: PanelContext, truck?: Card): Promise<void>;
    /** Sends what an earlier try left in the browser. */
    flush(panel: PanelContext): Promise<void>;
  };
}

/** What every view is drawn from, and every action changes. */
export interface PanelContext extends Locale {
  m: Model;
  page: PageContext;
  data: DOMStringMap;
  /** Where relative addresses lead. */
  base: string;
  /** The members of every call: dealer, visitor and the visitor's language. */
  identity: { dealerSlug: string; visitorId: string; locale: string };
  request: Request;
  /** Shows the model; then moves the focus to the first element that matches. */
  draw(focus?: string): void;
  /** What chunks use of the panel: `kit.ts`, which itself needs this type. */
  kit: object;
  chunks: Partial<Chunks>;
  /** Aborted when the widget is destroyed: the end of its listeners. */
  ended: AbortController;
  timers: Partial<Record<'typing' | 'waiting' | 'sending', ReturnType<typeof setTimeout>>>;
}
