import { type FullRecording, record } from '../../../scripts/docs/record.ts';
import { newDatabase } from '../postgres/suite-database.ts';

let recording: Promise<FullRecording> | undefined;

/** What the service answers to the story and the error examples of the docs: performed once for all files of a worker. */
export function useRecording(): Promise<FullRecording> {
  recording ??= newDatabase().then(record);
  return recording;
}
