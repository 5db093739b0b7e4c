import { hash } from 'node:crypto';

/** SHA-256 in hex of a key, a code or another secret: all that the store knows of it. */
export const hashSecret = (secret: string): string => hash('sha256', secret);
