import { cleanLine, cut } from './text.ts';

const MAX_QUOTED = 60;

/** What a seller named something, in a mail that the service signs: on one line, and too short for a message. */
export const quote = (name: string): string => `“${cut(cleanLine(name), MAX_QUOTED)}”`;

/** The provider of a listing in a sentence; '' is none. */
export const nameProvider = (provider: string): string =>
  provider === '' ? 'no source_provider_id' : `source_provider_id "${cut(provider, MAX_QUOTED)}"`;
