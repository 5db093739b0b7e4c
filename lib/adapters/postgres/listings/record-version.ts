import { hash } from 'node:crypto';
import { RECORD_SHAPE } from '../../../contract/record/record.ts';

/** What a stored document is made by. A document of another version is projected onto the table when it is read. */
export const RECORD_VERSION = hash('sha256', RECORD_SHAPE).slice(0, 16);
