import type { Card } from '../../lib/search/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { Message } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { readEvents } from './events.ts';
import { timeLimit } from './time-limit.ts';
import { WORDS } from './words.ts';

/** Questions to the assistant. */

/** An answer without an event for so long has failed. */
const STALLED_MS = 45_000;

/** Data of any event; which members are there depends on its name. */
interface EventData {
  conversationId?: string;
  text: string;
  vehicles: Card[];
  suggestions: string[];
  leadCaptured: boolean;
}

let current = new AbortController();

export const stop = () => current.abort();

/** Sends the last message once more. */
export const repeat = (panel: PanelContext) =>
  ask(panel, panel.m.messages.findLast(({ isFromVisitor }) => isFromVisitor)?.text ?? '', true);

export async function ask(panel: PanelContext, text: string, isRepeat = false): Promise<void> {
  const { m, draw, page } = panel;
  const message = text.trim();
  if (!message || m.talking) return;
  if (message === kit.translate(WORDS)('person')) return kit.show(panel, 'lead');
  const answer: Message = { isFromVisitor: false, text: '', trucks: [], at: Date.now() };
  if (!isRepeat) m.messages.push({ isFromVisitor: true, text: message, trucks: [], at: Date.now() });
  m.messages.push(answer);
  current = new AbortController();
  Object.assign(m, { trail: ['chat'], draft: '', hints: [], talking: true, chatFault: null, news: '' });
  draw('textarea');
  page.emit('message', { text: message });
  try {
    await readAnswer(panel, message, answer, current.signal);
  } catch (error) {
    fail(panel, error);
  }
  m.talking = false;
  if (!answer.text && !answer.trucks.length) m.messages.splice(m.messages.indexOf(answer), 1);
  m.news = answer.text.trim();
  kit.keep(panel);
  draw(m.chat || m.trail.length > 1 ? '' : '.start');
}

async function readAnswer(
  panel: PanelContext,
  message: string,
  answer: Message,
  stopped: AbortSignal,
): Promise<void> {
  const { m, draw, request, identity } = panel;
  const limit = timeLimit(stopped, STALLED_MS);
  const body = { message, ...identity, conversationId: m.id, vin: m.about?.vin, visit: m.visit };
  try {
    const response = await request('chat', { body, signal: limit.signal });
    for await (const [name, data] of readEvents(response.body as ReadableStream<BufferSource>)) {
      limit.restart();
      apply(panel, answer, name, data as EventData);
      draw();
    }
  } finally {
    limit.end();
  }
}

function apply({ m }: PanelContext, answer: Message, name: string, data: EventData): void {
  if (data.conversationId) m.id = data.conversationId;
  if (name === 'text') answer.text += data.text;
  if (name === 'vehicles') answer.trucks = data.vehicles;
  if (name === 'suggestions') m.hints = data.suggestions;
  if (name === 'done') m.captured ||= data.leadCaptured;
}

function fail(panel: PanelContext, error: unknown): void {
  if (current.signal.aborted) return;
  const fault = kit.asFault(error);
  kit.wait(panel, fault);
  if (fault.kind === 'noChat') {
    fault.text = kit.translate(WORDS)('noChat');
    kit.hideChat(panel);
  }
  panel.m.chatFault = fault;
}
