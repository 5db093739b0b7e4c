import { hash } from 'node:crypto';
import { RECORD_SHAPE } from '../truck/record/record.ts';

/** Raised when code or a vocabulary reads records differently: unchanged input is then evaluated again once. */
const REVISION = 9;

export const RULES_VERSION = hash('sha256', `${RECORD_SHAPE}${REVISION}`).slice(0, 16);
