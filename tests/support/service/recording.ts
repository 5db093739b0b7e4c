import { type Recording, record } from '../../../scripts/docs/record.ts';
import { openEmbedded } from '../processes/embedded.ts';

let recording: Promise<Recording> | undefined;

/** What the service answers to the story and the error examples of the docs: performed once for all files of a worker. */
export function useRecording(): Promise<Recording> {
  recording ??= openEmbedded().then(record);
  return recording;
}
