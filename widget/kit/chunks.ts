import { LANGUAGES } from '../options.ts';
import type { Chunks, PanelContext } from '../panel/panel-context.ts';
import { asFault } from '../panel/requests.ts';

/** Added to addresses after a failure: browsers remember failures. */
let failures = '';

/** Loads a part once; null, and the fault in the model, when it cannot be loaded. */
export async function loadChunk<Name extends keyof Chunks>(
  panel: PanelContext,
  name: Name,
): Promise<Chunks[Name] | null> {
  const { m, base, chunks, kit, draw, page } = panel;
  if (chunks[name]) return chunks[name];
  try {
    const chunk: Chunks[Name] = await import(
      new URL(`widget-${name}-${LANGUAGES[page.column]}.${VERSION}.js${failures}`, base).href
    );
    chunk.lend(kit, page.root);
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
