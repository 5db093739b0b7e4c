import { endpoint } from '../../http/endpoint.ts';
import { WidgetInventoryAnswer, WidgetInventoryQuery } from './schemas.ts';

export const getWidgetInventory = endpoint({
  id: 'getWidgetInventory',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/widget/inventory',
  tag: 'Widget',
  summary: 'Browse a dealer’s trucks',
  description:
    'Returns the public fields of the dealer’s available trucks, searched like GET /v1/inventory. Browsers may cache an answer for 30 seconds. An answer to a request with the parameter `key` depends only on the URL and the page’s origin: a CDN may cache it for up to a minute, and returns it to a revoked key, too.',
  guard: 'widget',
  widget: {
    readDealer: ({ query }) => query.dealerSlug,
    perAddress: { name: 'widget-inventory', limit: 120, windowSeconds: 60 },
    bots: 'served',
  },
  query: WidgetInventoryQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: WidgetInventoryAnswer },
  async handle({ ctx, query }) {
    const { widgetInventory } = await import('./widget-inventory.ts');
    const { headers: requestHeaders } = ctx.request;
    // With a key in a header the address alone does not say whose answer it is.
    const isShared =
      query.key !== undefined && !requestHeaders.has('authorization') && requestHeaders.has('origin');
    const headers = { 'Cache-Control': isShared ? SHARED : 'private, max-age=30' };
    return { status: 200, body: await widgetInventory(ctx, query), headers };
  },
});

/** The last number bounds how long a CDN goes on with an answer while it asks anew. */
const SHARED = 'public, max-age=30, s-maxage=30, stale-while-revalidate=30';
