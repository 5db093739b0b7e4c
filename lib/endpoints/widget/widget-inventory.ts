import { WidgetInventoryAnswer, WidgetInventoryQuery } from '../../contract/widget/widget-inventory.ts';
import { endpoint } from '../../http/endpoint.ts';

export const getWidgetInventory = endpoint({
  id: 'getWidgetInventory',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/widget/inventory',
  tag: 'Widget',
  summary: 'Browse a dealer’s trucks',
  description:
    'The public slice of what the dealer has for sale, searched as GET /v1/inventory is. Browsers may keep an answer for 30 seconds.',
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
    const { widgetInventory } = await import('../../services/search/widget-inventory.ts');
    const headers = { 'Cache-Control': 'private, max-age=30' };
    return { status: 200, body: await widgetInventory(ctx, query), headers };
  },
});
