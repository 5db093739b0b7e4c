import type { ChatAnswer, ChatEvent, ChatInput } from '../contract/widget-chat.ts';
import { chatLocale, suggestionsFor } from '../domain/chat-words.ts';
import { visitorText } from '../domain/untrusted-text.ts';
import { ApiError } from '../errors.ts';
import { AssistantFailure, type Message, Unavailable } from '../ports.ts';
import { spendMessage } from './chat-budget.ts';
import { chatPrompt } from './chat-prompt.ts';
import { type Speech, spoken } from './chat-speech.ts';
import { chatTools } from './chat-tools.ts';
import { chatTrucks } from './chat-trucks.ts';
import { accountOf, type Context, dealerOf } from './context.ts';

/** Of the history, for the model. */
const MOST_TURNS = 12;
const MOST_CHARACTERS = 8_000;
const STEPS = 4;
const MOST_CARDS = 6;
/** VINs of earlier turns whose trucks are known again in this one. */
const MOST_REMEMBERED = 8;
const RETRY_SECONDS = 10;

/** The whole answer at once; a reply that breaks off is no answer, and nothing of it is kept. */
export async function chat(ctx: Context, input: ChatInput): Promise<ChatAnswer> {
  const answer: ChatAnswer = {
    conversationId: '',
    reply: '',
    vehicles: [],
    suggestions: [],
    leadCaptured: false,
  };
  for await (const { event, data } of turn(ctx, input, 'whole')) {
    if (event === 'error') throw outage();
    if (event === 'text') answer.reply += data.text;
    else Object.assign(answer, data);
  }
  return { ...answer, reply: answer.reply.trimEnd() };
}

/**
 * The answer as server-sent events, a sentence at a time. What fails before the first sentence is thrown, so that it is
 * answered with its status; what fails later is an event. What was said by then is kept, also when the visitor leaves.
 */
export async function chatEvents(ctx: Context, input: ChatInput): Promise<AsyncIterable<string>> {
  const events = turn(ctx, input, 'sentences');
  let first: IteratorResult<ChatEvent, void> | undefined = await events.next();
  const texts: AsyncIterator<string, undefined> = {
    async next() {
      const { done, value } = first ?? (await events.next());
      first = undefined;
      return done ? { done, value: undefined } : { done: false, value: eventText(value) };
    },
    // Also before anything was read: a generator around the other would not hand that on.
    async return() {
      await events.return();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => texts };
}

const eventText = ({ event, data }: ChatEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

async function* turn(
  ctx: Context,
  input: ChatInput,
  told: 'whole' | 'sentences',
): AsyncGenerator<ChatEvent, void> {
  const { assistant, conversations, random } = ctx.ports;
  if (assistant === null)
    throw new ApiError('CONFIG_ERROR', 'The assistant is not configured; the lead form works without it.', {
      headers: { 'Retry-After': '300' },
    });
  await spendMessage(ctx, input.visitorId);
  const dealer = dealerOf(ctx);
  const locale = chatLocale(input.locale ?? 'en');
  const visit = {
    dealer: dealer.slug,
    visitorId: input.visitorId,
    conversationId: input.conversationId ?? null,
  };
  const account = conversations.of(accountOf(ctx).id);
  const newId = `conv_${Buffer.from(random.bytes(12)).toString('hex')}`;
  const { id: conversationId, leadId } = await account.enter(visit, newId);
  const leadCaptured = leadId !== null;
  const history = await account.history(conversationId, MOST_TURNS);

  const trucks = chatTrucks(ctx);
  const earlier = [...new Set(history.flatMap(({ vins }) => vins).reverse())].slice(0, MOST_REMEMBERED);
  await trucks.recall(input.vin ? [...earlier, input.vin] : earlier);
  const page = input.vin ? await trucks.byVin(input.vin) : null;
  const canary = Buffer.from(random.bytes(9)).toString('hex');
  const prompt = chatPrompt(dealer, locale, canary, page);
  const speech: Speech = { vins: new Set(), held: {} };
  const pieces = assistant.reply({
    instructions: prompt.instructions,
    messages: [...recent(history), { role: 'user' as const, text: visitorText(input.message) }],
    tools: chatTools(trucks),
    steps: STEPS,
    signal: ctx.signal,
  });

  let said = '';
  let failure: unknown;
  let ended = false;
  try {
    for await (const text of spoken(pieces, speech, { trucks, dealer, locale, prompt })) {
      if (said === '') yield { event: 'start', data: { conversationId } };
      said += text;
      yield { event: 'text', data: { text } };
    }
    ended = true;
  } catch (error) {
    if (said === '' || told === 'whole' || !(error instanceof Unavailable)) throw error;
    failure = error;
  } finally {
    const { vins, held } = speech;
    ctx.note({
      streamed: told === 'sentences',
      ...(Object.keys(held).length > 0 ? { held } : {}),
      vehicles: vins.size,
      ...(ended ? {} : { cut_short: true }),
    });
    if (said !== '' && (ended || told === 'sentences')) await remember();
  }
  if (failure instanceof AssistantFailure && failure.reason === 'aborted') return;
  if (failure !== undefined) {
    const { code, message } = outage(failure);
    ctx.note({ code, error: String(failure) });
    yield { event: 'error', data: { code, message, retryAfter: RETRY_SECONDS } };
    return;
  }
  const vehicles = [...speech.vins].flatMap((vin) => trucks.card(vin) ?? []).slice(0, MOST_CARDS);
  const answered = Object.keys(speech.held).length === 0;
  yield { event: 'vehicles', data: { vehicles } };
  const next = suggestionsFor(locale, { vehicles: vehicles.length, leadCaptured, answered });
  yield { event: 'suggestions', data: { suggestions: next } };
  yield { event: 'done', data: { conversationId, leadCaptured } };

  /** Question and answer go in together, so that turns of one visitor never mix. */
  async function remember(): Promise<void> {
    const messages: Message[] = [
      { role: 'visitor', text: input.message, vins: [] },
      { role: 'assistant', text: said.trimEnd(), vins: [...speech.vins] },
    ];
    await account.append(conversationId, messages).catch((error: unknown) => {
      // It was said: that it is not remembered must not take it back.
      if (!(error instanceof Unavailable)) throw error;
      ctx.note({ forgotten: true });
    });
  }
}

/** The newest messages within bounds, beginning with one of the visitor's. */
function recent(history: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
  let room = MOST_CHARACTERS;
  const kept: { role: 'user' | 'assistant'; text: string }[] = [];
  for (const { role, text } of [...history].reverse()) {
    room -= text.length;
    if (room < 0) break;
    kept.unshift(
      role === 'visitor' ? { role: 'user', text: visitorText(text) } : { role: 'assistant', text },
    );
  }
  return kept[0]?.role === 'assistant' ? kept.slice(1) : kept;
}

function outage(cause?: unknown): ApiError {
  return new ApiError('INTERNAL_ERROR', 'The assistant does not answer right now; the lead form works.', {
    cause,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
