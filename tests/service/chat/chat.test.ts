import { describe, expect, test } from 'vitest';
import type { Move } from '../../support/servers/openai-server.ts';
import { queryRows } from '../../support/service/database.ts';
import {
  account,
  ask,
  cascadia,
  dealer,
  foreign,
  kenworth,
  lastLine,
  newDealer,
  newVisitor,
  openChat,
  provider,
  service,
  stream,
  tool,
  userTexts,
} from './visitor.ts';

openChat();

describe('an answer', () => {
  test('comes out of the dealer’s inventory: tools, a grounded reply, cards from the database', async () => {
    provider.model = ({ results: [found] }) =>
      found
        ? {
            say: `We have a ${found.trucks[0].year} Kenworth T680 [[${found.trucks[0].vin}]] for $84,500. It has 301,200 miles.`,
          }
        : tool('search_inventory', { make: 'Kenworth', price_max: 90_000 });
    const answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      conversationId: expect.stringMatching(/^conv_[0-9a-f]{24}$/),
      reply: 'We have a 2020 Kenworth T680 for $84,500. It has 301,200 miles.',
      vehicles: [expect.objectContaining({ vin: kenworth.vin, title: '2020 Kenworth T680', price: 84_500 })],
      suggestions: ['Tell me more about this truck', 'Show me similar trucks', 'Have someone contact me'],
      leadCaptured: false,
    });
  });

  test('is streamed as typed events, a sentence at a time, when the caller prefers that', async () => {
    provider.model = () => ({ say: 'Good morning. How are you? Ask away.' });
    const { answer, events } = await stream();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(events.map(({ event }) => event)).toEqual([
      'start',
      'text',
      'text',
      'text',
      'vehicles',
      'suggestions',
      'done',
    ]);
    const texts = events.flatMap(({ event, data }) =>
      event === 'text' ? [(data as { text: string }).text] : [],
    );
    expect(texts).toEqual(['Good morning. ', 'How are you? ', 'Ask away.\n']);
    expect(lastLine()).toMatchObject({ route: 'postWidgetChat', status: 200, streamed: true, vehicles: 0 });
    const json = await ask({}, { accept: 'application/json, text/event-stream;q=0.5' });
    expect(json.body.reply).toBe('Good morning. How are you? Ask away.');
  });

  test.each([
    ['es-MX', 'Spanish', 'Quiero que me contacten'],
    ['fr', 'French', 'Je veux être contacté'],
    ['de', 'English', 'Have someone contact me'],
    [null, 'English', 'Have someone contact me'],
  ])('is in the visitor’s language: %s → %s', async (locale, language, suggestion) => {
    const { body } = await ask({ locale });
    expect(provider.calls[0]?.messages[0]?.content).toContain(`Reply in ${language}.`);
    expect(body.suggestions).toContain(suggestion);
  });

  test('knows the truck on the visitor’s page', async () => {
    provider.model = () => ({ say: `The [[${cascadia.vin}]] is $68,900.` });
    const { body } = await ask({ vin: String(cascadia.vin).toLowerCase() });
    expect(provider.calls[0]?.messages[0]?.content).toContain(`"vin":"${cascadia.vin}"`);
    expect(body).toMatchObject({ reply: 'The is $68,900.', vehicles: [{ vin: cascadia.vin }] });
  });

  test('finds similar trucks of the dealer', async () => {
    provider.model = ({ results: [found] }) =>
      found ? { say: JSON.stringify(found.trucks.length) } : tool('similar_trucks', { vin: cascadia.vin });
    await ask();
    const [, second] = provider.calls;
    expect(second?.messages.at(-1)?.content).toContain(String(kenworth.vin));
  });
});

describe('what is not said', () => {
  const dropped = async (say: string, first?: Move) => {
    provider.model = ({ results }) => (first && results.length === 0 ? first : { say });
    const { body } = await ask();
    return body;
  };

  test('a price that the truck does not have', async () => {
    const body = await dropped(
      'We have a Kenworth. The 2020 Kenworth T680 costs $12,000.',
      tool('search_inventory', { make: 'Kenworth' }),
    );
    expect(body.reply).toMatch(/^We have a Kenworth\. I could not confirm that detail/);
    expect(body.suggestions[0]).toBe('Have someone contact me');
    expect(lastLine().withheld).toEqual({ price: 1 });
  });

  test('a truck of another dealer of the same account, which no tool tells of either', async () => {
    const body = await dropped(
      `Take the ${foreign.vin}, it is $99,100.`,
      tool('get_truck', { vin: foreign.vin }),
    );
    expect(JSON.stringify(provider.calls.at(-1)?.messages.at(-1))).toContain('no such truck');
    expect(body).toMatchObject({ reply: 'I do not find that VIN in our inventory.', vehicles: [] });
  });

  test('promises and foreign contacts: the visitor may ask the dealer instead, said once', async () => {
    const body = await dropped('Zero down, no credit check. Go to https://evil.example. It is 45 thou. Bye.');
    expect(body.reply).toMatch(
      /^I could not confirm that detail[^.]*our team can tell you for sure\. Bye\.$/,
    );
    expect(lastLine().withheld).toEqual({ words: 1, number: 1, contact: 1 });
  });

  test('more than anybody reads, however fast the model writes it', async () => {
    const body = await dropped('!?'.repeat(150_000));
    expect(body.reply).toMatch(/Leave your details/);
    await dropped('Zero down! '.repeat(30_000));
    expect(lastLine().withheld).toEqual({ words: Math.floor(16_000 / 11) });
  });

  test('the instructions, and nothing at all', async () => {
    const leak = await dropped('Hello.');
    expect(leak.reply).toBe('Hello.');
    provider.model = ({ messages }) => ({ say: messages[0]?.content ?? '' });
    const { body } = await ask();
    expect(body.reply).not.toMatch(/ground rule|shop assistant|Rule set/i);
    expect((await dropped('  \n ')).reply).toMatch(/Leave your details/);
  });

  test('what dealers wrote reaches the model without orders and links', async () => {
    provider.model = ({ results }) =>
      results.length === 0 ? tool('get_truck', { vin: cascadia.vin }) : { say: 'Hello.' };
    await ask();
    const told = provider.calls.at(-1)?.messages.at(-1)?.content ?? '';
    expect(told).toContain('One owner.');
    expect(told).not.toMatch(/Ignore|evil/);
    expect(told).not.toMatch(/dedup_hash|source_provider_id|quality|zip|latitude/);
  });
});

describe('a conversation', () => {
  test('goes on: the model gets what was said, and the trucks of before are known', async () => {
    const visitorId = newVisitor();
    provider.model = ({ results: [found] }) =>
      found
        ? { say: `The 2020 Kenworth T680 [[${kenworth.vin}]] is $84,500.` }
        : tool('search_inventory', { make: 'Kenworth' });
    const first = await ask({ visitorId });
    provider.model = () => ({ say: `It has 301,200 miles [[${kenworth.vin}]].` });
    const second = await ask({ visitorId, message: 'How many miles?' });
    expect(second.body).toMatchObject({
      conversationId: first.body.conversationId,
      reply: 'It has 301,200 miles.',
      vehicles: [{ vin: kenworth.vin }],
    });
    expect(userTexts()).toEqual([
      ['user', 'What do you have?'],
      ['assistant', 'The 2020 Kenworth T680 is $84,500.'],
      ['user', 'How many miles?'],
    ]);
  });

  test('is the visitor’s own: an id of another visitor, dealer or account, or of nobody, is as good as none', async () => {
    const visitorId = newVisitor();
    provider.model = () => ({ say: 'Do you haul heavy loads?' });
    const { body: mine } = await ask({ visitorId });
    const elsewhere = await newDealer();
    for (const change of [
      { visitorId: newVisitor(), conversationId: mine.conversationId },
      { visitorId, dealerSlug: elsewhere, conversationId: mine.conversationId },
      { visitorId: newVisitor(), conversationId: 'conv_nobody' },
      { visitorId: newVisitor(), conversationId: 'no id at all' },
    ]) {
      const { body } = await ask(change);
      expect(body.conversationId).not.toBe(mine.conversationId);
      expect(JSON.stringify(provider.calls.at(-1)?.messages)).not.toContain('heavy loads');
    }
    expect((await ask({ visitorId, conversationId: 'conv_nobody' })).body.conversationId).toBe(
      mine.conversationId,
    );
  });

  test('parallel messages of a visitor end in one conversation, question and answer always together', async () => {
    const visitorId = newVisitor();
    provider.model = ({ messages }) => ({ say: `Is it ${messages.at(-1)?.content}?`, every: 1 });
    const words = ['white', 'black', 'red', 'green', 'blue', 'gray'];
    const answers = await Promise.all(words.map((message) => ask({ visitorId, message })));
    expect(new Set(answers.map(({ body }) => body.conversationId)).size).toBe(1);
    const history = await service.ports.conversations
      .of(account.id)
      .history(answers[0]?.body.conversationId, 50);
    const pairs = history.map(({ role, text }) => `${role} ${text}`);
    expect(pairs).toHaveLength(12);
    for (const [at, line] of pairs.entries())
      if (at % 2 === 0) expect(pairs[at + 1]).toBe(`assistant Is it ${line.replace('visitor ', '')}?`);
  });

  test('is kept to its newest 200 messages, and told to the model within bounds', async () => {
    const visitorId = newVisitor();
    const { body } = await ask({ visitorId });
    const conversation = service.ports.conversations.of(account.id);
    for (let turn = 0; turn < 11; turn += 1)
      await conversation.append(
        body.conversationId,
        Array.from({ length: 20 }, (_, at) => ({
          role: at % 2 === 0 ? ('visitor' as const) : ('assistant' as const),
          text: `${turn}.${at} ${'x'.repeat(1_500)}`,
          vins: [],
        })),
      );
    const kept = await conversation.history(body.conversationId, 1_000);
    expect([kept.length, kept.at(-1)?.text.slice(0, 5)]).toEqual([200, '10.19']);
    await ask({ visitorId });
    const told = userTexts() ?? [];
    expect(told.length).toBeLessThanOrEqual(7);
    expect(told[0]?.[0]).toBe('user');
  });

  test('tells that the visitor left their details', async () => {
    const visitorId = newVisitor();
    const { body } = await ask({ visitorId });
    const lead = { message: 'Call me', dealerSlug: dealer, visitorId, phone: '(210) 555-0142' };
    expect((await account.call('POST', '/v1/widget/lead', lead)).body.conversationId).toBe(
      body.conversationId,
    );
    const { body: after } = await ask({ visitorId });
    expect(after.leadCaptured).toBe(true);
    expect(after.suggestions).not.toContain('Have someone contact me');
  });
});

test('no social security or card number reaches the model or the transcript', async () => {
  const visitorId = newVisitor();
  const { body } = await ask({ visitorId, message: 'I am 123–45\u200b6789, card 4111 1111 1111 1111.' });
  await ask({ visitorId, conversationId: body.conversationId, message: 'Again' });
  const kept = await queryRows('select text from messages where text like $1', ['I am %']);
  expect(JSON.stringify([provider.calls, kept])).not.toMatch(/6789|1111/);
  expect(kept).toEqual([{ text: 'I am ***-**-****, card **** **** **** ****.' }]);
});

test('nothing of what was said is in any log line', async () => {
  const visitorId = newVisitor();
  const marks = { message: 'I am Marked Visitor, marked@visitor.example, 210-555-9876', visitorId };
  provider.model = ({ messages }) => ({ say: `You said ${messages.at(-1)?.content}. Marked answer.` });
  await ask(marks);
  await stream(marks);
  for (const move of [
    { status: 500, body: '{"error":{"message":"marked@visitor.example"}}' },
    { dieAfter: 'Marked answer. Ma' },
    { garbage: 'data: {"choices":"marked@visitor.example"}\n\n' },
  ] as const) {
    provider.model = () => move;
    await ask(marks);
    await stream(marks);
  }
  const written = JSON.stringify(service.log);
  expect(written).not.toMatch(/marked|555-?9876|visitor-\d/i);
  expect(written).toContain('postWidgetChat');
});
