import { ApiError } from '../errors.ts';
import { type Context, requireAccount, requireDealer } from '../http/context.ts';
import { enterConversation } from '../leads/enter-conversation.ts';
import { maskPersonalNumbers } from '../leads/mask-personal-numbers.ts';
import { newId } from '../outside/new-id.ts';
import { readLocale } from '../truck/card/locale.ts';
import { chooseByModel, speakAll } from './choose.ts';
import { chooseOwn } from './own-answer.ts';
import { PHRASES } from './phrases.ts';
import { appendMessages, listMessages } from './queries.ts';
import type { ChatAnswer, ChatEvent, ChatInput } from './schemas.ts';
import type { Speaker } from './speak.ts';
import { spendMessage } from './spend-message.ts';
import { chatTrucks } from './trucks.ts';

/** Messages of the history that the model reads. */
const MAX_MESSAGES = 12;

/** The whole answer at once. */
export async function chat(ctx: Context, input: ChatInput): Promise<ChatAnswer> {
  const answer = { conversationId: '', reply: '', vehicles: [], suggestions: [], leadCaptured: false };
  for (const { event, data } of await answerMessage(ctx, input))
    if (event === 'text') answer.reply += data.text;
    else Object.assign(answer, data);
  return { ...answer, reply: answer.reply.trimEnd() };
}

/** The answer as server-sent events, a segment at a time; what fails is thrown before the first. */
export async function chatEvents(ctx: Context, input: ChatInput): Promise<AsyncIterable<string>> {
  const events = await answerMessage(ctx, input);
  async function* texts() {
    for (const { event, data } of events) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }
  return texts();
}

async function answerMessage(ctx: Context, input: ChatInput): Promise<ChatEvent[]> {
  const { assistant, db, clock } = ctx.ports;
  if (assistant === null)
    throw new ApiError('CONFIG_ERROR', 'The assistant is not configured; the lead form works without it.', {
      headers: { 'Retry-After': '300' },
    });
  await spendMessage(ctx, input);
  const dealer = requireDealer(ctx);
  const visit = {
    dealer: dealer.slug,
    visitorId: input.visitorId,
    conversationId: input.conversationId ?? null,
  };
  const { id: accountId } = requireAccount(ctx);
  const { id: conversationId, leadId } = await enterConversation(
    db,
    accountId,
    visit,
    newId(ctx.ports, 'conv'),
  );
  const history = await listMessages(db, accountId, conversationId, MAX_MESSAGES);
  const locale = readLocale(input.locale ?? 'en');
  const trucks = chatTrucks(ctx, locale);
  const message = maskPersonalNumbers(input.message);
  const earlier = [...new Set(history.flatMap(({ vins }) => vins).reverse())].slice(0, 8);
  const pageVin = input.vin ?? null;
  await trucks.recall(pageVin === null ? earlier : [...earlier, pageVin]);
  const speaker: Speaker = { locale, words: PHRASES[locale], dealer, trucks, now: clock.now() };
  const messages = [...history, { role: 'visitor' as const, text: message, vins: [] }];
  let speeches = await chooseByModel(ctx, assistant, speaker, messages, pageVin);
  if (speeches.length === 0) {
    ctx.note({ chat_own_answer: true });
    speeches = speakAll(await chooseOwn(message, trucks, pageVin), speaker);
  }
  const vins = [...new Set(speeches.flatMap((speech) => speech.vins))];
  await appendMessages(db, accountId, conversationId, [
    { role: 'visitor', text: message, vins: [] },
    { role: 'assistant', text: speeches.map(({ text }) => text).join(' '), vins },
  ]);
  const leadCaptured = leadId !== null;
  const vehicles = vins.flatMap((vin) => trucks.card(vin) ?? []).slice(0, 6);
  return [
    { event: 'start', data: { conversationId } },
    ...speeches.map(({ text }) => ({ event: 'text' as const, data: { text: `${text} ` } })),
    { event: 'vehicles', data: { vehicles } },
    { event: 'suggestions', data: { suggestions: suggest(speaker, vehicles.length, leadCaptured) } },
    { event: 'done', data: { conversationId, leadCaptured } },
  ];
}

/** At most three things to say next. */
function suggest(
  { words: { suggestions: words } }: Speaker,
  vehicles: number,
  leadCaptured: boolean,
): string[] {
  const next =
    vehicles === 0
      ? [words.sleepers]
      : vehicles === 1
        ? [words.details, words.similar]
        : [words.fewestMiles, words.cheapest];
  return leadCaptured ? next : [...next, words.contact];
}
