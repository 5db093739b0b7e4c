import { cut } from '../text/text.ts';

const MAX_NAME = 60;

/** The provider of a listing in a sentence; '' is none. */
export const nameProvider = (provider: string): string =>
  provider === '' ? 'no source_provider_id' : `source_provider_id "${cut(provider, MAX_NAME)}"`;
