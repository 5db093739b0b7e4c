import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { startService } from '../../support/service/service.ts';

/**
 * The widget's own code for sending, on the real service, with lost requests, lost answers, numbers that the service refuses
 * and reloads in between: whatever a visitor sent is with the dealer in the end, each text once, refused ones corrected. LEAD_SEQUENCES sets how many are tried.
 */
const SEQUENCES = Number(process.env.LEAD_SEQUENCES ?? 80);
const MAX_STEPS = 6;
const EMAIL = 'jane@visitor.example';
/** Ten digits that are no number: the form takes them, the service does not. */
const NO_PHONE = '(555) 555-0100';
const MODULUS = 2_147_483_647;

/** The widget is compiled for browsers, apart from the service: it is loaded by its path. */
const load = (path: string) => import(new URL(`../../../widget/${path}`, import.meta.url).pathname);

const service = await startService();
const account = await service.newAccount();
const dealerSlug = uniqueSlug();
const { send, flush } = await load('form/send.ts');
const storage = new Map<string, string>();

beforeAll(async () => {
  vi.stubGlobal('document', { URL: 'https://dealer.example/' });
  await account.call('POST', '/v1/dealers', { slug: dealerSlug, name: 'Lone Star Trucks' });
  (await load('kit/lent.ts')).borrow({
    stored(_: string, name: string, value?: string | null) {
      if (value) storage.set(name, value);
      else if (value === null) storage.delete(name);
      return storage.get(name) ?? null;
    },
    translate: (table: Record<string, string[]>) => (word: string) => table[word]?.[0],
    asFault: (error: object) =>
      'code' in error ? error : { kind: 'offline', code: '', seconds: 0, details: {} },
    keep() {},
    show() {},
  });
});
afterAll(() => vi.unstubAllGlobals());

type Fault = 'none' | 'request lost' | 'answer lost';

function openPage(visitorId: string, nextFault: () => Fault) {
  const form = { name: '', email: EMAIL, phone: '', message: '', company: '' };
  const m = {
    form: { ...form, marketing: false, intent: '', details: {}, corrects: undefined as string | undefined },
    trail: ['lead'],
    enquired: [],
    about: null,
    wrong: {},
    sending: false,
    kept: false,
  };
  return {
    m,
    data: {},
    page: { emit() {}, root: {} },
    draw() {},
    identity: { dealerSlug, visitorId, locale: 'en' },
    timers: { sending: undefined as ReturnType<typeof setTimeout> | undefined },
    async request(_: string, { body }: { body: object }) {
      const fault = nextFault();
      if (fault === 'request lost') throw new TypeError('no connection');
      const answer = await account.call('POST', '/v1/widget/lead', body);
      if (fault === 'answer lost') throw new TypeError('connection reset');
      if (answer.status >= 400) throw { kind: 'failed', seconds: 0, details: {}, ...answer.body.error };
      return { json: async () => answer.body };
    },
  };
}

/** Random steps of one visitor; returns what was sent. */
async function visit(visitorId: string, pick: (choices: number) => number): Promise<string[]> {
  storage.clear();
  let faulty = true;
  const fault = (): Fault =>
    (faulty ? (['none', 'request lost', 'answer lost'] as const)[pick(3)] : undefined) ?? 'none';
  let page = openPage(visitorId, fault);
  const texts: string[] = [];
  const steps = 1 + pick(MAX_STEPS);
  for (let step = 0; step <= steps; step++) {
    const action = step === 0 ? 0 : pick(4);
    if (action < 2) {
      const text = action === 1 ? texts.at(-1) : `${visitorId} writes ${step}`;
      if (page.m.form.corrects) await correct(page);
      if (page.m.form.corrects) continue;
      const isWrong = pick(3) === 0;
      Object.assign(page.m.form, {
        message: text,
        email: isWrong ? '' : EMAIL,
        phone: isWrong ? NO_PHONE : '',
      });
      await send(page);
      if (text !== undefined) texts.push(text);
    } else if (action === 2) await flush(page);
    clearTimeout(page.timers.sending);
    if (action === 3) page = openPage(visitorId, fault);
  }
  faulty = false;
  page = openPage(visitorId, fault);
  await flush(page);
  for (let left = texts.length; left > 0 && page.m.form.corrects; left -= 1) {
    await correct(page);
    await flush(page);
  }
  clearTimeout(page.timers.sending);
  expect([...storage.values()], visitorId).toEqual([]);
  return texts;
}

/** Gives an address in place of the number that was refused. */
async function correct(page: ReturnType<typeof openPage>): Promise<void> {
  Object.assign(page.m.form, { email: EMAIL, phone: '' });
  await send(page);
}

/** Every text that the dealer can read. */
async function listTexts(): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await account.call('GET', `/v1/leads?dealer=${dealerSlug}&limit=100${cursor}`);
    for (const { message, updates } of body.leads)
      texts.push(message, ...updates.map((update: { message: string }) => update.message));
    if (body.next_cursor === null) return texts;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

test(`of ${SEQUENCES} visitors with bad connections no text is lost, and none is with the dealer twice`, async () => {
  let state = 48_271;
  const pick = (choices: number) => {
    state = (state * 48_271) % MODULUS;
    return state % choices;
  };
  const leadIds = new Set<string>();
  for (let n = 0; n < SEQUENCES; n++) for (const text of await visit(`visitor ${n}`, pick)) leadIds.add(text);
  expect((await listTexts()).sort()).toEqual([...leadIds].sort());
}, 600_000);
