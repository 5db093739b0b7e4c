import type { ChatAnswer, ChatEvent, ChatInput } from '../../contract/widget/widget-chat.ts';
import { suggestionsFor } from '../../domain/chat/chat-words.ts';
import { ApiError } from '../../errors.ts';
import { AssistantFailure } from '../../ports/assistant.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { Context } from '../context.ts';
import { beginTurn } from './chat-turn.ts';

const MAX_CARDS = 6;
const RETRY_SECONDS = 10;

/** The whole answer at once; a reply that breaks off is no answer, and nothing of it is kept. */
export async function chat(ctx: Context, input: ChatInput): Promise<ChatAnswer> {
  const answer = { conversationId: '', reply: '', vehicles: [], suggestions: [], leadCaptured: false };
  for await (const { event, data } of turn(ctx, input, 'whole'))
    if (event === 'text') answer.reply += data.text;
    else Object.assign(answer, data);
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
      const { done, value } = first ?? (await events.next().catch((error) => toErrorEvent(ctx, error)));
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

/** The last event of a stream that cannot be finished; none when nobody is there to read it. */
function toErrorEvent(ctx: Context, error: unknown): IteratorResult<ChatEvent, void> {
  if (!(error instanceof ApiError)) throw error;
  if (ctx.signal.aborted) return { done: true, value: undefined };
  const { code, message, cause } = error;
  ctx.note({ code, error: String(cause) });
  return { done: false, value: { event: 'error', data: { code, message, retryAfter: RETRY_SECONDS } } };
}

async function* turn(
  ctx: Context,
  input: ChatInput,
  mode: 'whole' | 'sentences',
): AsyncGenerator<ChatEvent, void> {
  const { conversationId, leadCaptured, locale, trucks, speech, ...rest } = await beginTurn(ctx, input);
  let said = '';
  let ended = false;
  try {
    for await (const text of rest.sentences) {
      if (said === '') yield { event: 'start', data: { conversationId } };
      said += text;
      yield { event: 'text', data: { text } };
    }
    ended = true;
  } catch (error) {
    throw error instanceof Unavailable ? outage(error) : error;
  } finally {
    const withheld = Object.keys(speech.withheld).length > 0 ? { withheld: speech.withheld } : {};
    const short = ended ? {} : { cut_short: true };
    ctx.note({ streamed: mode === 'sentences', vehicles: speech.vins.size, ...withheld, ...short });
    if (said !== '' && (ended || mode === 'sentences')) await rest.remember(said.trimEnd());
  }
  const vehicles = [...speech.vins].flatMap((vin) => trucks.card(vin) ?? []).slice(0, MAX_CARDS);
  const answered = Object.keys(speech.withheld).length === 0;
  const suggestions = suggestionsFor(locale, { vehicles: vehicles.length, leadCaptured, answered });
  yield { event: 'vehicles', data: { vehicles } };
  yield { event: 'suggestions', data: { suggestions } };
  yield { event: 'done', data: { conversationId, leadCaptured } };
}

function outage(cause: Unavailable): ApiError {
  const words =
    cause instanceof AssistantFailure
      ? 'The assistant does not answer right now; the lead form works.'
      : 'A part of the service does not answer right now.';
  return new ApiError('INTERNAL_ERROR', words, { cause, headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
