import { type Context, notFound } from '../http/context.ts';
import { contentTypeFor, mediaKey } from './names/media.ts';

/** A stored image's bytes. They are addressed by their content, so the address itself tells of every change. */
export async function readMedia({ ports }: Context, { hash, name }: { hash: string; name: string }) {
  const bytes = await ports.objects.get(mediaKey(hash, name));
  if (bytes === null) throw notFound('image');
  return { bytes, contentType: contentTypeFor(name), etag: `"${hash.slice(0, 32)}-${name}"` };
}
