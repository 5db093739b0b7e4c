import { badge, type Tone } from '../../dashboard/parts/text.ts';
import type { FeedRunStatus } from '../schemas/feed-fields.ts';

const STATES: Readonly<Record<FeedRunStatus, [text: string, tone: Tone]>> = {
  queued: ['waiting to start', 'plain'],
  running: ['running', 'plain'],
  succeeded: ['succeeded', 'good'],
  unchanged: ['file unchanged', 'good'],
  held: ['needs your OK', 'warn'],
  failed: ['failed', 'bad'],
};

export const runBadge = (status: FeedRunStatus) => badge(...STATES[status]);
