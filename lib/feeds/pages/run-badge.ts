import { badge, type Tone } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { FeedRunStatus } from '../schemas/feed-fields.ts';

const SHOWN: Readonly<Record<FeedRunStatus, { text: string; tone: Tone }>> = {
  queued: { text: 'waiting to start', tone: 'plain' },
  running: { text: 'running', tone: 'plain' },
  succeeded: { text: 'succeeded', tone: 'good' },
  unchanged: { text: 'file unchanged', tone: 'good' },
  held: { text: 'needs your OK', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
};

export function runBadge(status: FeedRunStatus): Html {
  const { text, tone } = SHOWN[status];
  return badge(text, tone);
}
