import { LANGUAGES } from '../options.ts';
import { asFault } from '../panel/requests.ts';
import type { Chunks, Scene } from '../panel/scene.ts';

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
