import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tier } from '../../lib/accounts/access.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Call, Exchange } from './call.ts';
import { ROOT } from './deployment.ts';
import type { StepName } from './story.ts';

/** What the service answered to the calls that the pages show: docs/recording.json, written by `npm run docs`. */

export interface ErrorRecording {
  note?: string;
  /** Tier of the account that made the call. */
  tier: Tier;
  /** Calls that the account made before, each `times` times. */
  before: readonly Call[];
  times: number;
  /** Whether something of the service was broken during the call. */
  isFault: boolean;
  exchange: Exchange;
  fixed?: Exchange;
}

export interface Recording {
  /** By guide (`quick-start.md`): its own calls in its own order, on an account of its own. */
  guides: Readonly<Record<string, Readonly<Partial<Record<StepName, Exchange>>>>>;
  errors: Readonly<Record<ErrorCode, ErrorRecording>>;
  wrongMethod: ErrorRecording;
}

export const RECORDING = join(ROOT, 'docs/recording.json');

export const readRecording = async (): Promise<Recording> => JSON.parse(await readFile(RECORDING, 'utf8'));

/** Pages show calls and answers as text; parsed bodies are for the OpenAPI document. */
export function serializeRecording({ guides, errors, wrongMethod }: Recording): string {
  const withoutParsed = (key: string, value: unknown) =>
    key === 'sentJson' || key === 'answerJson' ? undefined : value;
  return `${JSON.stringify({ guides, errors, wrongMethod }, withoutParsed, 1)}\n`;
}
