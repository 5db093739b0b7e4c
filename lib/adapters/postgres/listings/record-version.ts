import { hash } from 'node:crypto';
import { RECORD_SHAPE } from '../../../contract/record/record.ts';
import { SEARCH_VOCABULARY } from '../../../domain/search/search-vocabulary.ts';

/** Whether levels of the market's samples are the database's own secret. */
const MARKET_LEVELS = 'by secret';

/**
 * What a stored document and its search words are made by. A document of another version is projected onto the table
 * when it is read, and rewritten with its words by housekeeping.
 */
export const RECORD_VERSION = hash(
  'sha256',
  RECORD_SHAPE + JSON.stringify(SEARCH_VOCABULARY) + MARKET_LEVELS,
).slice(0, 16);
