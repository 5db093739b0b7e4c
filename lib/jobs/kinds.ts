import type { JobKind } from '../db/jobs/queue.ts';
import type { Work } from './drain.ts';

/** How jobs of each kind are worked on; loaded when one is due. */
export const KINDS: Readonly<Record<JobKind, () => Promise<Work>>> = {
  feed: async () => (await import('../feeds/feed-runs.ts')).feedWork,
  photos: async () => (await import('../images/fetch-photos.ts')).photos,
  email: async () => (await import('../leads/delivery/deliver.ts')).describeDelivery('email'),
  webhook: async () => (await import('../leads/delivery/deliver.ts')).describeDelivery('webhook'),
  flagged: async () => (await import('../leads/delivery/deliver.ts')).describeDelivery('flagged'),
  dealer: async () => (await import('../inventory/follow-moved-dealers.ts')).dealerMoves,
  alert: async () => (await import('../accounts/alerts/send-alerts.ts')).alerts,
};
