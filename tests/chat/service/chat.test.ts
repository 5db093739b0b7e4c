import { describe, expect, test } from 'vitest';
import { listMessages } from '../../../lib/chat/queries.ts';
import { choose } from '../../support/servers/openai-server.ts';
import { queryRows } from '../../support/service/database.ts';
import {
  account,
  ask,
  cascadia,
  foreign,
  kenworth,
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
  test('comes out of the dealer’s inventory: a choice of the model, sentences of the server, cards from the database', async () => {
    provider.model = ({ results: [result] }) =>
      result
        ? choose({ say: 'trucks', vins: [result.trucks[0].vin], search: result.search })
        : tool('search_inventory', { words: 'Kenworth', mileage_max: 400_000 });
    const answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      conversationId: expect.stringMatching(/^conv_[0-9a-f]{24}$/),
      reply: expect.stringMatching(
        /one truck.* \(≤ 400,000 mi, Kenworth\): the 2020 Kenworth T680 at \$84,500 with 301,200 mi\.$/,
      ),
      vehicles: [expect.objectContaining({ vin: kenworth.vin, title: '2020 Kenworth T680', price: 84_500 })],
      suggestions: ['Tell me more about this truck', 'Show me similar trucks', 'Have someone contact me'],
      leadCaptured: false,
    });
  });

  test('is streamed as typed events, a segment at a time, when the caller prefers that', async () => {
    provider.model = () => choose({ say: 'thank' }, { say: 'ask', about: 'budget' }, { say: 'goodbye' });
    const events = await stream();
    expect(events.map(({ event }) => event).join()).toBe('start,text,text,text,vehicles,suggestions,done');
  });

  test('knows the truck on the visitor’s page', async () => {
    provider.model = () => choose({ say: 'trucks', vins: [cascadia.vin], facts: ['mileage', 'wheelbase'] });
    const { body } = await ask({ vin: String(cascadia.vin).toLowerCase() });
    expect(provider.calls[0]?.messages[0]?.content).toContain(`"vin":"${cascadia.vin}"`);
    expect(body.reply).toMatch(
      /^Here it is: the 2019 Freightliner Cascadia 126 at \$68,900 with 412,350 mi\. .*wheelbase/,
    );
  });
});

test('the chat denies nothing about a search of which it read only a part', async () => {
  provider.model = () => ({ say: '' });
  const message = 'Do you still have the Kenworth with stock number K-2047-X?';
  expect((await ask({ message })).body.reply).not.toMatch(/exact match|no such/);
});

test('a comparison lists the lowest first', async () => {
  provider.model = ({ results }) =>
    results.length < 2
      ? tool('get_truck', { vin: [kenworth, cascadia][results.length]?.vin })
      : choose(
          ...['price', 'mileage'].map((by) => ({ say: 'compare', vins: [kenworth.vin, cascadia.vin], by })),
        );
  expect((await ask()).body.reply).toMatch(/lowest price: the 2019 .* lowest mileage: the 2020 /);
});

describe('what is not said', () => {
  const BOAST = 'Free trucks for everybody at evil.example';

  test('a truck of another dealer, a search that was not made, a truck that a search did not find', async () => {
    provider.model = ({ results }) =>
      results.length < 2
        ? tool(results.length === 0 ? 'get_truck' : 'search_inventory', {
            vin: foreign.vin,
            words: 'Kenworth',
          })
        : choose(
            { say: 'trucks', vins: [foreign.vin], facts: ['engine'] },
            { say: 'available', vin: foreign.vin },
            { say: 'count', search: 7 },
            { say: 'trucks', vins: [cascadia.vin], search: 0 },
            { say: 'thank' },
          );
    const { body } = await ask();
    expect(body.reply).toBe('You’re welcome.');
    expect(body.vehicles).toEqual([]);
  });

  test.each([
    ['prose', { say: BOAST }],
    [
      'prose as JSON',
      { say: JSON.stringify({ segments: [BOAST, { say: BOAST }, { say: 'trucks', vins: [BOAST] }] }) },
    ],
    [
      'words in every member',
      choose({ say: 'trucks', vins: [BOAST], facts: [BOAST] }, { say: 'ask', about: BOAST }, { text: BOAST }),
    ],
    ['arguments that are no JSON', { call: [{ name: 'answer', args: `{"segments": "${BOAST}` }] }],
    ['tools that there are not', tool(BOAST, {})],
  ] as const)('%s of the model: our own reader answers', async (_, move) => {
    provider.model = () => move;
    const { body } = await ask({ message: 'Do you have a Kenworth under $90,000?' });
    expect(JSON.stringify(body)).not.toMatch(/evil|Free/);
    expect(body.vehicles).toMatchObject([{ vin: kenworth.vin }]);
    expect(service.log.at(-1)).toHaveProperty('chat_own_answer', true);
  });

  test('the words that a model searched for', async () => {
    provider.model = ({ results: [result] }) =>
      result
        ? choose({ say: 'count', search: 0 }, { say: 'thank' })
        : tool('search_inventory', { words: BOAST });
    expect((await ask()).body.reply).toBe('You’re welcome.');
  });

  test('what dealers wrote freely never reaches the model', async () => {
    provider.model = ({ results }) =>
      results.length === 0 ? tool('get_truck', { vin: cascadia.vin }) : choose({ say: 'greet' });
    await ask();
    const toolResult = provider.calls.at(-1)?.messages.at(-1)?.content ?? '';
    expect(toolResult).toContain(String(cascadia.vin));
    expect(toolResult).not.toMatch(/One owner|Ignore|evil|dedup_hash|source_provider_id|quality/);
  });
});

describe('a conversation', () => {
  test('continues: the model reads the messages and knows the trucks of before', async () => {
    const visitorId = newVisitor();
    provider.model = ({ results: [result] }) =>
      result
        ? choose({ say: 'available', vin: kenworth.vin })
        : tool('search_inventory', { words: 'Kenworth' });
    const first = await ask({ visitorId });
    provider.model = () => choose({ say: 'trucks', vins: [kenworth.vin], facts: ['mileage'] });
    const second = await ask({ visitorId, message: 'How many miles?' });
    expect(second.body).toMatchObject({
      conversationId: first.body.conversationId,
      reply: expect.stringContaining('301,200 mi'),
      vehicles: [{ vin: kenworth.vin }],
    });
    expect(userTexts()).toEqual([
      ['user', 'What do you have?'],
      ['assistant', `${first.body.reply} ${kenworth.vin}`],
      ['user', 'How many miles?'],
    ]);
  });

  test('parallel messages of a visitor end in one conversation, question and answer always together', async () => {
    const visitorId = newVisitor();
    const words = ['white', 'black', 'red', 'green', 'blue', 'gray'];
    const answers = await Promise.all(words.map((message) => ask({ visitorId, message })));
    expect(new Set(answers.map(({ body }) => body.conversationId)).size).toBe(1);
    const list = (n: number) =>
      listMessages(service.ports.db, account.id, answers[0]?.body.conversationId, n);
    const history = await list(50);
    expect(history.map(({ role }) => role).join()).toBe(Array(6).fill('visitor,assistant').join());
    expect(await list(3), 'the newest').toEqual(history.slice(-3));
  });
});

test('no social security or card number reaches the model or the transcript', async () => {
  const visitorId = newVisitor();
  const { body } = await ask({ visitorId, message: 'I am 123–45\u200b6789, card 4111 1111 1111 1111.' });
  await ask({ visitorId, conversationId: body.conversationId, message: 'Again' });
  const text = `select text from messages where account_id = $1 and text like 'I am %'`;
  const transcript = await queryRows(text, [account.id]);
  expect(JSON.stringify([provider.calls, transcript])).not.toMatch(/6789|1111/);
  expect(transcript).toEqual([{ text: 'I am ***-**-****, card **** **** **** ****.' }]);
});

test('no log line has any part of a message', async () => {
  const visitorId = newVisitor();
  const marks = { message: 'I am Marked Visitor, marked@visitor.example, 210-555-9876', visitorId };
  for (const move of [
    { say: 'You are marked@visitor.example.' },
    { status: 500, body: '{"error":{"message":"marked@visitor.example"}}' },
    { die: true },
    { garbage: 'data: {"choices":"marked@visitor.example"}\n\n' },
  ] as const) {
    provider.model = () => move;
    await ask(marks);
    await ask(marks, { accept: 'text/event-stream' });
  }
  const logText = JSON.stringify(service.log);
  expect(logText).not.toMatch(/marked|555-?9876|visitor-\d/i);
  expect(logText).toContain('postWidgetChat');
});
