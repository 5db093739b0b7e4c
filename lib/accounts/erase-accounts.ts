import { removeRaw } from '../feeds/raw-files.ts';
import { removeImages } from '../images/remove-unused-images.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Ports } from '../ports.ts';
import {
  beginErasures,
  finishErasure,
  listRawFiles,
  markImagesUnused,
  removeRows,
} from './queries/erasure.ts';

/** Erases accounts whose week is over: their objects and rows, in slices. */

/** Rows that one statement removes, and files. */
const MAX_ROWS = 5_000;
const MAX_FILES = 100;
/** Of one run of the job. */
const WORK_MS = 60_000;

type ErasePorts = Pick<Ports, 'db' | 'objects' | 'clock' | 'log'>;

/** Begins what is due, and goes on with what was cut off. */
export async function eraseAccounts(ports: ErasePorts) {
  const untilMs = ports.clock.now() + WORK_MS;
  let erased = 0;
  const erasing = await beginErasures(ports.db);
  for (const id of erasing) if (await eraseSlices(ports, id, untilMs)) erased += 1;
  return { accounts_erased: erased, accounts_erasing: erasing.length - erased };
}

/** Objects first: their rows say where they are. True when nothing is left. */
async function eraseSlices(ports: ErasePorts, id: string, untilMs: number) {
  try {
    while (ports.clock.now() < untilMs) {
      const files = (await removeRawFiles(ports, id)) + (await removeStoredImages(ports, id));
      if (files === 0 && (await removeRows(ports.db, id, MAX_ROWS)) === 0) return finishErasure(ports.db, id);
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return false;
}

async function removeRawFiles(ports: ErasePorts, id: string) {
  const files = await listRawFiles(ports.db, id, MAX_FILES);
  for (const file of files) await removeRaw(ports, file);
  return files.length;
}

async function removeStoredImages(ports: ErasePorts, id: string) {
  const images = await markImagesUnused(ports.db, id, MAX_FILES);
  await removeImages(ports, id, images);
  return images.length;
}
