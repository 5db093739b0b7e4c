import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ChatAnswer, ChatBody, ChatEvent } from '../../lib/chat/schemas.ts';
import { parseEvents } from '../support/oracles/conforms.ts';

const guide = readFileSync(new URL('../../docs/chat.md', import.meta.url), 'utf8');
const blocks = (kind: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

test('the examples of the guide are what the routes take and answer', () => {
  const [request = ''] = blocks('json');
  expect(ChatBody.parse(JSON.parse(request))).toEqual(JSON.parse(request));
  const [answer = ''] = blocks('json answer');
  expect(ChatAnswer.parse(JSON.parse(answer))).toEqual(JSON.parse(answer));
  const events = blocks('text events').flatMap(parseEvents);
  expect(events).toHaveLength(5);
  for (const event of events) expect(ChatEvent.parse(event)).toEqual(event);
});
