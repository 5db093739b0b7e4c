import type { Card } from '../../lib/contract/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';

/** Reads which truck the page is about; with `land`, shows it when it is another one than before. */
export async function follow(panel: PanelContext, land: boolean): Promise<void> {
  const { m, page } = panel;
  const view = m.trail.at(-1);
  const changed = m.landed !== page.readVin?.();
  const truck = await loadPageTruck(panel);
  if (land && changed && truck && m.trail.at(-1) === view && view !== 'lead') kit.showTruck(panel, truck);
}

async function loadPageTruck(panel: PanelContext): Promise<Card | null> {
  const { m, page, draw } = panel;
  const vin = page.readVin?.() ?? '';
  if (vin === m.pageVin) return m.pageTruck ?? null;
  m.pageVin = vin;
  m.pageTruck = null;
  if (vin !== m.landed) m.about = null;
  try {
    const page = vin ? await kit.readPage(panel, { vin }, vin) : null;
    if (m.pageVin !== vin) return null;
    m.pageTruck = page?.vehicles[0] ?? null;
    m.about ??= m.pageTruck;
    m.landed = vin;
  } catch {
    // The conversation goes on without it; the next opening tries again.
    if (m.pageVin === vin) m.pageVin = undefined;
  }
  draw();
  return m.pageTruck;
}
