import { endpoint } from '../../http/endpoint.ts';
import { WidgetFormsAnswer, WidgetFormsQuery } from '../schemas/widget-forms.ts';

export const getWidgetForms = endpoint({
  id: 'getWidgetForms',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/widget/forms',
  tag: 'Widget',
  summary: 'What visitors can ask for',
  description:
    'The forms by intent (availability, best price, finance, trade-in, appointment, delivery) with their fields in the visitor’s language. None asks for a social security number. Browsers may keep an answer for 30 seconds.',
  guard: 'widget',
  widget: {
    readDealer: ({ query }) => query.dealerSlug,
    perAddress: { name: 'widget-forms', limit: 120, windowSeconds: 60 },
    bots: 'served',
  },
  query: WidgetFormsQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: WidgetFormsAnswer },
  async handle({ query }) {
    const { describeForms } = await import('../forms.ts');
    const headers = { 'Cache-Control': 'private, max-age=30' };
    return { status: 200, body: describeForms(query), headers };
  },
});
