import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { invalid } from '../http/context.ts';
import { isSigned, type SigningPorts, sign } from '../outside/secrets/signed-token.ts';
import type { SearchPosition } from './request.ts';
import type { SearchInput } from './schemas.ts';
import type { Reading } from './search-filters.ts';

/**
 * Where a page of a search ended, and what all of its pages have in common: how far the first page saw changes, and what it
 * understood of makes, models and words, so that later pages search for the same even when the account has other names by then.
 */
export interface SearchWalk {
  after: SearchPosition;
  reading: Reading;
  syncedUntil: string;
}

export function toCursor(query: SearchInput, walk: SearchWalk, ports: SigningPorts): string {
  const text = deflateRawSync(JSON.stringify(walk)).toString('base64url');
  return sign(ports, 'search-cursor', toSignedText(query, text)) + text;
}

/** @throws INVALID_PARAMS for a cursor of another search, or one that this service did not give. */
export function readCursor(cursor: string, query: SearchInput, ports: SigningPorts): SearchWalk {
  const text = cursor.slice(SIGNATURE_LENGTH);
  if (isSigned(ports, 'search-cursor', toSignedText(query, text), cursor.slice(0, SIGNATURE_LENGTH)))
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString());
  throw invalid('cursor', 'is not of this search', {
    reason: text === '' ? 'malformed' : 'conflicting',
    fix: 'Send next_cursor as it is, with the filters and sort of the page before, or leave cursor out to begin anew.',
    received: cursor,
  });
}

const SIGNATURE_LENGTH = 22;

/** A cursor goes on with the search it came from and with no other, from where that search ended and nowhere else. */
const toSignedText = (query: SearchInput, walk: string) =>
  JSON.stringify([{ ...query, cursor: undefined, limit: undefined, fields: undefined }, walk]);
