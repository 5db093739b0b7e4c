import { notFound } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { contentTypeFor, mediaKey } from './names/media.ts';
import { MediaParams } from './schemas.ts';

export const getMedia = endpoint({
  id: 'getMedia',
  method: 'GET',
  path: '/media/{hash}/{name}',
  tag: 'Media',
  summary: 'Read a stored image',
  description:
    'Returns the original or a WebP rendition of an image, at the address in the listing. Public; the content of an address never changes.',
  guard: 'anyone',
  params: MediaParams,
  paramsCode: 'NOT_FOUND',
  errors: ['NOT_FOUND'],
  media: ['image/jpeg', 'image/png', 'image/webp'],
  answers: { 200: null },
  async handle({ ctx, params }) {
    const { hash, name } = params;
    const bytes = await ctx.ports.objects.get(mediaKey(hash, name));
    if (bytes === null) throw notFound('image');
    return { status: 200, body: bytes, headers: { ...FOR_GOOD, 'Content-Type': contentTypeFor(name) } };
  },
});

/** Bytes of strangers are shown as images on any site, and never run. */
const FOR_GOOD = {
  // A CDN asks again after 30 days, so that a photo that was erased ends there.
  'Cache-Control': 'public, max-age=31536000, s-maxage=2592000, immutable',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};
