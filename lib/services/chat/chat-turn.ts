import { type Locale, readLocale } from '../../contract/widget/locale.ts';
import type { ChatInput } from '../../contract/widget/widget-chat.ts';
import { maskPersonalNumbers } from '../../domain/chat/mask-personal-numbers.ts';
import { visitorText } from '../../domain/chat/untrusted-text.ts';
import { ApiError } from '../../errors.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { Message } from '../../ports/leads/leads.ts';
import { type Context, requireAccount, requireDealer } from '../context.ts';
import { newId } from '../new-id.ts';
import { spendMessage } from './chat-budget.ts';
import { chatPrompt } from './chat-prompt.ts';
import { type Speech, sayGrounded } from './chat-speech.ts';
import { chatTools } from './chat-tools.ts';
import { type ChatTrucks, chatTrucks } from './chat-trucks.ts';
import { countTokens } from './token-budget.ts';

/** Of the history, for the model. */
const MAX_TURNS = 12;
const MAX_CHARACTERS = 8_000;
/** VINs of earlier turns whose trucks are known again in this one. */
const MAX_REMEMBERED = 8;
/** Calls of the model for one message. */
const MAX_STEPS = 4;

/** A message about to be answered. */
export interface ChatTurn {
  conversationId: string;
  leadCaptured: boolean;
  locale: Locale;
  trucks: ChatTrucks;
  speech: Speech;
  /** What may be said, as the model writes it. */
  sentences: AsyncIterable<string>;
  /** Keeps question and answer, together, so that parallel turns of a visitor never mix. */
  remember(answer: string): Promise<void>;
}

/** Everything up to the model: budget, conversation, history, the trucks that were spoken of before. */
export async function beginTurn(ctx: Context, input: ChatInput): Promise<ChatTurn> {
  const { assistant, conversations } = ctx.ports;
  if (assistant === null)
    throw new ApiError('CONFIG_ERROR', 'The assistant is not configured; the lead form works without it.', {
      headers: { 'Retry-After': '300' },
    });
  const { visitorId } = input;
  await spendMessage(ctx, input);
  const dealer = requireDealer(ctx);
  const visit = { dealer: dealer.slug, visitorId, conversationId: input.conversationId ?? null };
  const account = conversations.of(requireAccount(ctx).id);
  const { id: conversationId, leadId } = await account.enter(visit, newId(ctx.ports, 'conv'));
  const history = await account.history(conversationId, MAX_TURNS);

  const locale = readLocale(input.locale ?? 'en');
  const trucks = chatTrucks(ctx, locale);
  const earlier = [...new Set(history.flatMap(({ vins }) => vins).reverse())].slice(0, MAX_REMEMBERED);
  await trucks.recall(input.vin ? [...earlier, input.vin] : earlier);
  const page = input.vin ? await trucks.byVin(input.vin) : null;
  const prompt = chatPrompt(dealer, locale, Buffer.from(ctx.ports.random.bytes(9)).toString('hex'), page);
  const pieces = assistant.reply({
    instructions: prompt.instructions,
    messages: [...recent(history), { role: 'user', text: toModelText(input.message) }],
    tools: chatTools(trucks),
    steps: MAX_STEPS,
    signal: ctx.signal,
    onTokens: (tokens) => ctx.ports.background.run(countTokens(ctx.ports, tokens)),
  });
  const speech: Speech = { vins: new Set(), withheld: {} };
  return {
    conversationId,
    leadCaptured: leadId !== null,
    locale,
    trucks,
    speech,
    sentences: sayGrounded(pieces, speech, { trucks, dealer, locale, prompt }),
    async remember(answer) {
      const said: Message[] = [
        { role: 'visitor', text: maskPersonalNumbers(input.message), vins: [] },
        { role: 'assistant', text: answer, vins: [...speech.vins] },
      ];
      await account.append(conversationId, said).catch((error: unknown) => {
        // It was said: that it is not remembered must not take it back.
        if (!(error instanceof Unavailable)) throw error;
        ctx.note({ forgotten: true });
      });
    },
  };
}

/** Providers refuse a message without a word. */
const toModelText = (text: string) => visitorText(maskPersonalNumbers(text)) || '?';

/** The newest messages within bounds, beginning with one of the visitor's. */
function recent(history: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
  let room = MAX_CHARACTERS;
  const kept: { role: 'user' | 'assistant'; text: string }[] = [];
  for (const { role, text } of [...history].reverse()) {
    room -= text.length;
    if (room < 0) break;
    kept.unshift(
      role === 'visitor' ? { role: 'user', text: toModelText(text) } : { role: 'assistant', text },
    );
  }
  return kept[0]?.role === 'assistant' ? kept.slice(1) : kept;
}
