import type { ComponentChildren } from 'preact';
import type { Card } from '../../lib/contract/widget/widget.ts';
import { LANGUAGES } from '../options.ts';
import type { Kit } from './kit.ts';
import { asFault } from './requests.ts';
import type { Scene } from './scene.ts';

/** Parts of the panel that are loaded when they are first needed. */
export interface Chunks {
  chat: {
    lend(kit: Kit, root: ShadowRoot): void;
    chat(scene: Scene): ComponentChildren;
    ask(scene: Scene, text: string): Promise<void>;
    stop(): void;
  };
  truck: {
    lend(kit: Kit, root: ShadowRoot): void;
    truck(scene: Scene): ComponentChildren;
  };
  form: {
    lend(kit: Kit, root: ShadowRoot): void;
    lead(scene: Scene): ComponentChildren;
    sent(scene: Scene): ComponentChildren;
    /** Sends what is in the form; `vin`: that the visitor wants this truck, too. */
    send(scene: Scene, truck?: Card): Promise<void>;
    /** Sends what an earlier try left in the browser. */
    flush(scene: Scene): Promise<void>;
  };
}

/** Added to addresses after a failure: browsers remember failures. */
let failures = '';

/** Loads a part once; null, and the fault in the model, when it cannot be loaded. */
export async function loadChunk<Name extends keyof Chunks>(
  scene: Scene,
  name: Name,
): Promise<Chunks[Name] | null> {
  const { m, base, chunks, kit, draw, stage } = scene;
  if (chunks[name]) return chunks[name];
  try {
    const chunk: Chunks[Name] = await import(
      new URL(`widget-${name}-${LANGUAGES[stage.column]}.${VERSION}.js${failures}`, base).href
    );
    chunk.lend(kit, stage.root);
    chunks[name] = chunk;
    m.loadFault = null;
    return chunk;
  } catch (error) {
    failures += '?';
    m.loadFault = asFault(error);
    draw();
    return null;
  }
}
