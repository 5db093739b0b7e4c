import type { Card } from '../../lib/contract/widget/widget.ts';
import { LANGUAGES, type Stage } from '../options.ts';
import { remember, visitorAt } from './memory.ts';
import type { Model, Said, View } from './model.ts';
import { pageVin } from './page-vin.ts';
import { caller, eventsOf, type Fault, faultOf, type Page, solve } from './service.ts';
import { type Tongue, tongue } from './words.ts';

/** What a visitor can do. Each action changes the model and draws it; none rejects. */
export type Act = ReturnType<typeof actions>;

const PAGE = '12';
const KEPT = 40;

export function actions(
  { script, column, tell }: Stage,
  model: Model,
  /** Shows the model; then moves the focus to the first element that matches. */
  draw: (focus?: string) => void,
) {
  const { dataset } = script;
  const { dealer = '', key = '' } = dataset;
  const call = caller(new URL('/', script.src).href, key);
  const who = { dealerSlug: dealer, visitorId: visitorAt(dealer) };
  const locale = LANGUAGES[column];
  const { say }: Tongue = tongue(column);
  let search = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let talk = new AbortController();

  /** Counts down for requests that were refused for a while. */
  function waitFor({ kind, seconds }: Fault): void {
    if (kind !== 'wait') return;
    clearInterval(ticking);
    model.pause = Math.max(1, seconds);
    ticking = setInterval(() => {
      model.pause -= 1;
      if (model.pause <= 0) clearInterval(ticking);
      draw();
    }, 1000);
  }

  function show(view: View, focus = '.start'): void {
    const root = model.trail[0] ?? 'trucks';
    const onward = { trucks: [], chat: [], sent: [root], truck: model.trail, lead: model.trail }[view];
    model.trail = [...onward.filter((each) => each !== view), view];
    draw(focus);
  }

  /** Takes every way to the chat away. */
  function noChat(): void {
    model.chat = false;
    model.trail = model.trail.map((view) => (view === 'chat' ? 'trucks' : view));
  }

  function keep(): void {
    const { id, hints, captured } = model;
    remember(dealer, { id, hints, captured, said: model.said.slice(-KEPT) });
  }

  async function inventory(query: Record<string, string>): Promise<Page> {
    const page: Page = await (await call(`inventory?${new URLSearchParams({ ...who, ...query })}`)).json();
    model.dealer = page.dealer ?? model.dealer;
    model.chat = page.chat ?? true;
    if (!model.chat) noChat();
    model.visit ??= page.visit;
    return page;
  }

  /** Searches anew, or goes on at a cursor. */
  async function find(cursor?: string | null): Promise<void> {
    clearTimeout(typing);
    search += 1;
    const turn = search;
    model.finding = true;
    model.findFault = null;
    draw();
    const { q, sort } = model;
    try {
      const page = await inventory({
        sort,
        limit: PAGE,
        ...(q.trim() && { q: q.trim() }),
        ...(cursor && { cursor }),
      });
      if (turn !== search) return;
      model.trucks = [...((cursor && model.trucks) || []), ...page.vehicles];
      model.count = page.count;
      model.next = page.nextCursor;
    } catch (error) {
      if (turn !== search) return;
      model.findFault = asFault(error);
      waitFor(model.findFault);
    }
    model.finding = false;
    draw();
  }

  /** The page's truck, or none. */
  async function vehicle(): Promise<void> {
    const vin = dataset.vin ?? pageVin();
    model.about = null;
    try {
      if (vin) model.about = (await inventory({ vin })).vehicles[0] ?? null;
    } catch {
      // The conversation goes on without it.
    }
    draw();
  }

  async function ask(text: string, again = false): Promise<void> {
    const message = text.trim();
    if (!message || model.talking) return;
    if (message === say('person')) return show('lead');
    const answer: Said = { mine: false, text: '', trucks: [] };
    if (!again) model.said.push({ mine: true, text: message, trucks: [] });
    model.said.push(answer);
    talk = new AbortController();
    const { signal } = talk;
    Object.assign(model, { trail: ['chat'], draft: '', hints: [], talking: true, talkFault: null, news: '' });
    draw('textarea');
    tell('message', { text: message });
    try {
      const body = { message, ...who, conversationId: model.id, vin: model.about?.vin, locale };
      const response = await call('chat', body, signal);
      for await (const [name, data] of eventsOf(response.body as ReadableStream<BufferSource>)) {
        hear(answer, name, data as Told);
        draw();
      }
    } catch (error) {
      const fault = signal.aborted ? null : asFault(error);
      if (fault) waitFor(fault);
      if (fault?.kind === 'noChat') noChat();
      model.talkFault = fault;
    }
    model.talking = false;
    if (!answer.text && !answer.trucks.length) model.said.splice(model.said.indexOf(answer), 1);
    model.news = answer.text.trim();
    keep();
    draw(model.chat || model.trail.length > 1 ? '' : '.start');
  }

  function hear(answer: Said, name: string, data: Told): void {
    if (data.conversationId) model.id = data.conversationId;
    if (name === 'text') answer.text += data.text;
    if (name === 'vehicles') answer.trucks = data.vehicles;
    if (name === 'suggestions') model.hints = data.suggestions;
    if (name === 'done') model.captured ||= data.leadCaptured;
    if (name === 'error') throw faultOf(data.code, data.retryAfter);
  }

  /** What the visitor has to put right before it is sent. */
  function check({ email, phone, consent }: Model['form']): Model['wrong'] {
    return {
      ...((email ? !/^\S+@\S+\.\S+$/.test(email.trim()) : !phone) && {
        email: say(email ? 'check' : 'either'),
      }),
      ...(phone && phone.replace(/\D/g, '').length < 7 && { phone: say('check') }),
      ...(!consent && { consent: say('check') }),
    };
  }

  async function send(): Promise<void> {
    if (model.sending) return;
    const { form, about } = model;
    model.wrong = check(form);
    model.leadFault = null;
    if (Object.keys(model.wrong).length) return draw('[aria-invalid=true]');
    model.sending = true;
    draw();
    const body = {
      ...Object.fromEntries(Object.entries(form).filter(([, value]) => value)),
      message: form.message.trim() || say('want'),
      ...who,
      vin: about?.vin,
      conversationId: model.id,
      consent: { text: dataset.consent || say('consent'), page: location.origin + location.pathname },
      visit: model.visit,
      locale,
    };
    try {
      tell('lead', await deliver(body));
      model.captured = true;
      model.sending = false;
      keep();
      return show('sent');
    } catch (error) {
      const fault = asFault(error);
      const { field = '' } = fault.details;
      if (field in form) model.wrong = { [field]: say('check') };
      else model.leadFault = fault;
      waitFor(fault);
      model.sending = false;
      draw('[aria-invalid=true]');
    }
  }

  /** Posts the lead, solving a puzzle when asked to. One that is there already is as good as a new one. */
  async function deliver(body: object): Promise<{ leadId: string | null }> {
    try {
      const { leadId, conversationId } = await (await call('lead', body)).json();
      model.id = conversationId;
      return { leadId };
    } catch (error) {
      const fault = asFault(error);
      const { challenge } = fault.details;
      if (fault.code === 'ALREADY_CAPTURED') return { leadId: null };
      if (!challenge || 'proof' in body || !crypto.subtle) throw fault;
      return deliver({ ...body, proof: await solve(challenge) });
    }
  }

  return {
    show,
    find,
    vehicle,
    ask,
    /** The last message once more. */
    repeat: () => ask(model.said.findLast(({ mine }) => mine)?.text ?? '', true),
    send,
    forget() {
      model.about = null;
      draw('.start');
    },
    /** Finds when the visitor has stopped typing. */
    findSoon() {
      clearTimeout(typing);
      typing = setTimeout(find, 300);
    },
    look(truck: Card) {
      model.truck = truck;
      model.about = truck;
      show('truck', '.body');
    },
    back() {
      const left = model.trail.pop();
      draw(left === 'truck' ? `[data-vin="${model.truck?.vin}"]` : '.start');
    },
    stop() {
      talk.abort();
      draw('textarea');
    },
    end() {
      talk.abort();
      clearTimeout(typing);
      clearInterval(ticking);
    },
  };
}

/** Data of any event; which members are there depends on its name. */
interface Told {
  conversationId?: string;
  text: string;
  vehicles: Card[];
  suggestions: string[];
  leadCaptured: boolean;
  code: string;
  retryAfter?: number;
}

/** A refusal as it is; anything else thrown means that no answer came, or that it was cut off. */
const asFault = (error: unknown): Fault =>
  (error as Partial<Fault>).kind
    ? (error as Fault)
    : { ...faultOf(), kind: navigator.onLine ? 'failed' : 'offline' };
