import { Unavailable } from '../outside/faults.ts';
import type { Ports } from '../ports.ts';
import type { UnusedImage } from './image.ts';
import { mediaKey } from './names/media.ts';
import { deleteStored, findUnused, listUsedElsewhere, refetch } from './queries/unused-images.ts';

/** Images of an account that one run removes. */
const MAX = 500;

/** Removes objects of an account's images that nothing names any more; returns how many images. */
export async function removeUnusedImages({ db, objects }: Pick<Ports, 'db' | 'objects'>, accountId: string) {
  const images = await findUnused(db, accountId, MAX);
  try {
    await removeImages({ db, objects }, accountId, images);
  } catch (error) {
    // They stay marked, and are removed another day.
    if (error instanceof Unavailable) return 0;
    throw error;
  }
  return images.length;
}

/** Removes these images of an account, their bytes only where no other account has them. */
export async function removeImages(
  { db, objects }: Pick<Ports, 'db' | 'objects'>,
  accountId: string,
  images: readonly UnusedImage[],
) {
  if (images.length === 0) return;
  const hashes = images.map(({ hash }) => hash);
  const elsewhere = await listUsedElsewhere(db, accountId, hashes);
  const removable = images.filter(({ hash }) => !elsewhere.has(hash));
  for (const key of removable.flatMap(toKeys)) await objects.remove(key);
  await deleteStored(db, accountId, hashes);
  await refetch(
    db,
    removable.map(({ hash }) => hash),
  );
}

function toKeys({ hash, original, renditions }: UnusedImage) {
  return [original, ...renditions.map(({ url }) => url)].map((path) =>
    mediaKey(hash, path.slice(path.lastIndexOf('/') + 1)),
  );
}
