import { describe, expect, test } from 'vitest';
import { askRemote } from '../../lib/outside/geocoder/remote.ts';
import type { OutboundRequest } from '../../lib/outside/outbound.ts';

function answering(body: unknown, status = 200) {
  const requests: OutboundRequest[] = [];
  const fetcher = {
    fetch: async (request: OutboundRequest) => {
      requests.push(request);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers: {}, url: request.url, bytes: new TextEncoder().encode(text) };
    },
    findRefusal: async () => null,
    close: () => undefined,
  };
  const url = 'https://geo.example/search?q={query}&key=k';
  return { requests, ask: (place = 'waco, tx') => askRemote({ fetcher, url }, place, 500) };
}

describe('what a geocoder over HTTP answers', () => {
  const waco = { latitude: 31.54933, longitude: -97.14667 };
  test.each([
    ['an object of texts', { lat: '31.549333', lon: '-97.14667', display_name: 'Waco' }, waco],
    [
      'a list, of which the first counts',
      [
        { lat: 31.549333, lon: -97.14667 },
        { lat: 1, lon: 2 },
      ],
      waco,
    ],
    ['an empty list', [], null],
    ['a place on another continent', { lat: 51.5, lon: 0.1 }, null],
  ])('%s', async (_, body, found) => {
    expect(await answering(body).ask()).toEqual(found);
  });

  test('404 says that the place is not known', async () => {
    expect(await answering('no such place', 404).ask()).toBeNull();
  });

  test.each([
    ['no JSON', '<html>', 200],
    ['blank text', { lat: '', lon: '' }, 200],
    ['a fault', {}, 500],
  ])('%s is a failure', async (_, body, status) => {
    await expect(answering(body, status).ask()).rejects.toThrow();
  });

  test('the place is escaped, and the request bounded', async () => {
    const { requests, ask } = answering([]);
    await ask('st. john’s & co, nl/?');
    expect(requests[0]).toMatchObject({
      url: 'https://geo.example/search?q=st.%20john%E2%80%99s%20%26%20co%2C%20nl%2F%3F&key=k',
      timeoutMs: 500,
      maxBytes: 65_536,
    });
  });
});
