import type { ComponentChildren } from 'preact';
import type { Card } from '../../lib/contract/widget/widget.ts';
import type { Stage } from '../options.ts';
import type { Model, Page } from './model.ts';
import type { Fault, Request } from './requests.ts';
import type { Tongue } from './tongue.ts';

/** Parts of the panel that are loaded when they are first needed. */
export interface Chunks {
  chat: {
    lend(kit: object, root: ShadowRoot): void;
    chat(scene: Scene): ComponentChildren;
    ask(scene: Scene, text: string): Promise<void>;
    stop(): void;
  };
  truck: {
    lend(kit: object, root: ShadowRoot): void;
    truck(scene: Scene): ComponentChildren;
    follow(scene: Scene, land: boolean): Promise<void>;
  };
  later: {
    lend(kit: object, root: ShadowRoot): void;
    begin(scene: Scene): void;
    keep(scene: Scene): void;
    wait(scene: Scene, fault: Fault): void;
    more(scene: Scene): ComponentChildren;
    logo(scene: Scene): ComponentChildren;
    blur(canvas: HTMLCanvasElement | null, placeholder: string): Promise<void>;
  };
  narrow: {
    lend(kit: object, root: ShadowRoot): void;
    /** What an answer says of itself. */
    take(scene: Scene, page: Page): void;
    narrow(scene: Scene): ComponentChildren;
    reading(scene: Scene): ComponentChildren;
    closest(scene: Scene): ComponentChildren;
  };
  form: {
    lend(kit: object, root: ShadowRoot): void;
    lead(scene: Scene): ComponentChildren;
    sent(scene: Scene): ComponentChildren;
    /** Sends what is in the form; `vin`: that the visitor wants this truck, too. */
    send(scene: Scene, truck?: Card): Promise<void>;
    /** Sends what an earlier try left in the browser. */
    flush(scene: Scene): Promise<void>;
  };
}

/** What every view is drawn from, and every action changes. */
export interface Scene extends Tongue {
  m: Model;
  stage: Stage;
  data: DOMStringMap;
  /** Where relative addresses lead. */
  base: string;
  /** The members of every call: dealer, visitor and the visitor's language. */
  who: { dealerSlug: string; visitorId: string; locale: string };
  request: Request;
  /** Shows the model; then moves the focus to the first element that matches. */
  draw(focus?: string): void;
  /** What chunks use of the panel: `kit.ts`, which itself needs this type. */
  kit: object;
  chunks: Partial<Chunks>;
  /** Aborted when the widget is destroyed: the end of its listeners. */
  ended: AbortController;
  timers: Record<'typing' | 'waiting' | 'sending', ReturnType<typeof setTimeout> | undefined>;
}
