import type { Ports } from '../ports.ts';
import { forgetImages, listOfHour, listWithDead, regrade } from './queries/maintain-images.ts';
import { removeUnusedImages } from './remove-unused-images.ts';

/** Leaves time for the other sweeps within the lease. */
const WORK_MS = 120_000;

/**
 * Updates quality and `has_images` of listings whose images failed; forgets and removes images that no listing has
 * named for 30 days. What there is no time for comes with another hour or day.
 */
export async function maintainImages(ports: Pick<Ports, 'db' | 'objects' | 'clock'>) {
  const { db, clock } = ports;
  const until = clock.now() + WORK_MS;
  const result = { listings_regraded: 0, images_forgotten: 0, images_removed: 0 };
  for (const { id } of await listWithDead(db)) {
    if (clock.now() > until) break;
    result.listings_regraded += await regrade(db, id);
  }
  for (const { id } of await listOfHour(db, new Date(clock.now()).getUTCHours())) {
    if (clock.now() > until) break;
    result.images_forgotten += await forgetImages(db, id);
    result.images_removed += await removeUnusedImages(ports, id);
  }
  return result;
}
