import { type Recording, record } from '../../../scripts/docs/record.ts';
import { newDatabase } from '../postgres/suite-database.ts';

let recording: Promise<Recording> | undefined;

/** What the service answers to the story and the error examples of the docs: performed once for all files of a worker. */
export function useRecording(): Promise<Recording> {
  recording ??= newDatabase().then(record);
  return recording;
}
