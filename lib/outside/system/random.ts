import { randomBytes } from 'node:crypto';
import type { Random } from '../system.ts';

export const systemRandom: Random = { bytes: (size) => new Uint8Array(randomBytes(size)) };
