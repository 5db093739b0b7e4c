import { hash } from 'node:crypto';
import { RECORD_SHAPE } from '../../truck/record/record.ts';

/** Raised when listings get other search words, by code or by a vocabulary. */
const WORDS_REVISION = 2;

/**
 * What a stored document and its search words are made by. A document of another version is projected onto the table
 * when it is read, and rewritten with its words by housekeeping.
 */
export const RECORD_VERSION = hash('sha256', `${RECORD_SHAPE}${WORDS_REVISION}`).slice(0, 16);
