import type { Card } from '../../lib/search/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';

/** Cards whose facts were read or requested on this page: once each, whatever became of it. */
export const requestedCards = new WeakSet<Card>();

/**
 * Reads which truck the page is about; with `land`, shows it when it is another one than before. `replaces`: instead of
 * another truck that the visitor has chosen in the panel.
 */
export async function follow(panel: PanelContext, land: boolean, replaces = true): Promise<void> {
  const { m, page } = panel;
  const view = m.trail.at(-1);
  const isNewVin = m.landed !== page.readVin?.();
  const truck = await loadPageTruck(panel, replaces);
  if (land && isNewVin && truck && m.trail.at(-1) === view && view !== 'lead') kit.showTruck(panel, truck);
}

/**
 * A truck that the service does not list, or that cannot be read now, is named by its VIN. A page without one takes none
 * out of the form that is being filled in.
 */
function enquireAbout({ m }: PanelContext, vin: string, replaces: boolean): void {
  const isChosen = m.about && m.about.vin !== m.landed;
  const isFilledIn = !vin && m.trail.at(-1) === 'lead';
  if (vin === m.landed || isFilledIn || (isChosen && !(replaces && vin))) return;
  m.about = vin ? { vin, title: vin } : null;
  m.landed = vin;
}

async function loadPageTruck(panel: PanelContext, replaces: boolean): Promise<Card | null> {
  const { m, page, draw } = panel;
  const vin = page.readVin?.() ?? '';
  enquireAbout(panel, vin, replaces);
  if (vin === m.pageVin) return m.pageTruck ?? null;
  m.pageVin = vin;
  m.pageTruck = null;
  try {
    const page = vin ? await kit.readPage(panel, { vin }, vin) : null;
    if (m.pageVin !== vin) return null;
    m.pageTruck = page?.vehicles[0] ?? null;
    if (m.pageTruck) requestedCards.add(m.pageTruck);
    if (m.about?.vin.toUpperCase() === m.pageTruck?.vin) m.about = m.pageTruck;
  } catch {
    // The conversation goes on without it; the next opening tries again.
    if (m.pageVin === vin) m.pageVin = m.landed = undefined;
  }
  draw();
  return m.pageTruck;
}
