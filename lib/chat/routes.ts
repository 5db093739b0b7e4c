import { endpoint } from '../http/endpoint.ts';
import { WidgetQuery } from '../search/widget/widget.ts';
import { ChatAnswer, ChatBody, ChatEvent } from './schemas.ts';

const EVENTS = 'text/event-stream';

export const postWidgetChat = endpoint({
  id: 'postWidgetChat',
  boundToDealer: true,
  scope: 'inventory:read',
  method: 'POST',
  path: '/v1/widget/chat',
  tag: 'Widget',
  summary: 'Ask about a dealer’s trucks',
  description:
    'A model chooses what to say; the server writes every sentence from the dealer’s live inventory and record. With `Accept: text/event-stream` the answer is streamed by segment; an error comes before the first event, as an ordinary answer. If the model is slow or returns nonsense, the server answers from its own reading of the message. Limits: a visitor, 30 messages in 10 minutes; an address, 40 a day, the first nine without `visit`; an account, 2,000 a day on Pro and 10,000 on Enterprise; one of several dealers, half of these.',
  guard: 'widget',
  tier: 'pro',
  widget: {
    readDealer: ({ body }) => body.dealerSlug,
    perAddress: { name: 'widget-chat', limit: 60, windowSeconds: 600 },
    bots: 'refused',
  },
  query: WidgetQuery,
  body: ChatBody,
  bodyCode: 'INVALID_BODY',
  errors: ['INVALID_BODY', 'TIER_RESTRICTED', 'CONFIG_ERROR'],
  answers: { 200: ChatAnswer },
  stream: { type: EVENTS, event: ChatEvent },
  async handle({ ctx, body }) {
    const { chat, chatEvents } = await import('./answer.ts');
    if (!ctx.prefers(EVENTS)) return { status: 200, body: await chat(ctx, body) };
    return { status: 200, body: await chatEvents(ctx, body), headers: { 'Content-Type': EVENTS } };
  },
});
