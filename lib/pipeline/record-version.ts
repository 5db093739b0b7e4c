import { hash } from 'node:crypto';
import { RECORD } from '../contract/record/record.ts';

const shapeOnly = (key: string, value: unknown) => (key === 'about' || key === 'example' ? undefined : value);

/**
 * What a stored document is made by: a hash of the record table without its texts. A document of another version is
 * projected onto the table when it is read.
 */
export const RECORD_VERSION = hash('sha256', JSON.stringify(RECORD, shapeOnly)).slice(0, 16);
