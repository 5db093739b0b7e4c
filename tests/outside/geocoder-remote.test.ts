import { expect, test } from 'vitest';
import type { Sql } from '../../lib/db/sql.ts';
import { askRemote } from '../../lib/outside/geocoder/remote.ts';
import { remoteGeocoder } from '../../lib/outside/geocoder/with-remote.ts';
import type { OutboundRequest } from '../../lib/outside/outbound.ts';

/** What a geocoder over HTTP answers. */

let lastRequest: OutboundRequest | undefined;

function makeFetcher(body: string, status = 200) {
  const fetch = async (request: OutboundRequest) => {
    lastRequest = request;
    return { status, headers: {}, url: request.url, bytes: Buffer.from(body) };
  };
  return { fetch, findRefusal: async () => null, close: () => undefined };
}

const TEMPLATE = 'https://geo.example/search?q={query}&key=k';

const ask = (body: string, status?: number, place = 'waco, tx') =>
  askRemote({ fetcher: makeFetcher(body, status), url: TEMPLATE }, place, 500);

const WACO = { latitude: 31.54933, longitude: -97.14667 };

test.each<[body: string, found: object | null, status?: number]>([
  ['[{"lat":31.549333,"lon":-97.14667},{"lat":1,"lon":2}]', WACO],
  ['{"lat":51.5,"lon":0.1}', null],
  ['no such place', null, 404],
])('%s is %j', async (body, coordinates, status) => {
  expect(await ask(body, status)).toEqual(coordinates);
});

test.each<[body: string, status?: number]>([['<html>'], ['{"lat":"","lon":""}'], ['[]', 500]])(
  '%s is a failure',
  async (body, status) => {
    await expect(ask(body, status)).rejects.toThrow();
  },
);

test('the place is escaped, and the request bounded', async () => {
  await ask('[]', 200, 'st. john’s & co, nl/?');
  expect(lastRequest).toMatchObject({
    url: 'https://geo.example/search?q=st.%20john%E2%80%99s%20%26%20co%2C%20nl%2F%3F&key=k',
    timeoutMs: 500,
    maxBytes: 65_536,
  });
});

test('a table that does not answer leaves time to ask', async () => {
  let queries = 0;
  const query = () => (queries++ === 0 ? new Promise<never>(() => undefined) : Promise.resolve([]));
  const sql = { query } as unknown as Sql;
  const fetcher = makeFetcher('[{"lat":31.549333,"lon":-97.14667}]');
  const geocoder = remoteGeocoder(
    { locate: async (places) => places.map(() => null) },
    { url: TEMPLATE, fetcher, sql, clock: Date, log: { write: () => undefined } },
  );
  const places = await geocoder.locate([{ city: 'Newtown', state: 'TX', zip: null }]);
  expect(places).toEqual([{ source: 'geocoder', ...WACO }]);
});
