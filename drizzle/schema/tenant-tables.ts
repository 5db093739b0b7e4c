/**
 * Tables whose every statement names the account. They lead every primary, unique and foreign key with account_id, ready
 * for hash partitions. The hot ones carry no foreign keys: 1,500 look-ups a batch would buy nothing that their single
 * writer does not already guarantee.
 */
export const TENANT_TABLES = [
  'own_homes',
  'key_usage',
  'owner_alerts',
  'ended_alerts',
  'dealers',
  'listings',
  'listing_search',
  'listing_words',
  'facet_cells',
  'facet_deltas',
  'listing_events',
  'image_sources',
  'stored_images',
  'idempotency_keys',
  'conversations',
  'messages',
  'leads',
  'lead_updates',
  'lead_deliveries',
  'lead_destinations',
  'feeds',
  'feed_runs',
  'feed_members',
  'feed_parts',
  'feed_chunks',
  'feed_missing',
  'feed_rejects',
  'issues',
  'uploads',
  'jobs',
] as const;

/** Every table with rows of an account, which its erasure empties; the account's own row goes last. */
export const ACCOUNT_TABLES = [...TENANT_TABLES, 'lead_sends', 'audit', 'api_keys', 'people'] as const;
