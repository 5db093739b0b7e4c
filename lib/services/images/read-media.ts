import { contentTypeFor, mediaKey } from '../../domain/images/media.ts';
import { type Context, notFound } from '../context.ts';
import { stripMetadata } from './strip-metadata.ts';

/**
 * A stored image's bytes, of the original without its metadata. They are addressed by their content, so the address itself
 * tells of every change.
 */
export async function readMedia({ ports }: Context, { hash, name }: { hash: string; name: string }) {
  const stored = await ports.objects.get(mediaKey(hash, name));
  const bytes = stored && name.startsWith('original.') ? stripMetadata(stored) : stored;
  if (bytes === null) throw notFound('image');
  return { bytes, contentType: contentTypeFor(name), etag: `"${name}-${hash.slice(0, 32)}"` };
}
