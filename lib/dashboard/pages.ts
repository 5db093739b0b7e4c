import type { PageEntry } from '../http/pages/page.ts';

/** Every page of the dashboard, those with a label in the order of the navigation. A module is loaded when it is called. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/dashboard',
    role: 'member',
    label: 'Overview',
    load: async () => (await import('./overview/overview.ts')).overview,
  },
  {
    path: '/dashboard/inventory',
    role: 'member',
    label: 'Inventory',
    load: async () => (await import('./inventory/inventory.ts')).inventory,
  },
  {
    path: '/dashboard/inventory/{vin}',
    role: 'member',
    load: async () => (await import('./inventory/listing.ts')).listing,
  },
  {
    path: '/dashboard/issues',
    role: 'member',
    label: 'Issues',
    load: async () => (await import('./issues/issues.ts')).issues,
  },
  {
    path: '/dashboard/upload',
    role: 'member',
    label: 'Upload',
    isOnlyForm: true,
    load: async () => (await import('../feeds/pages/upload.ts')).upload,
  },
  {
    path: '/dashboard/feeds',
    role: 'member',
    label: 'Feeds',
    load: async () => (await import('../feeds/pages/feeds.ts')).feeds,
  },
  {
    path: '/dashboard/feeds/new',
    role: 'member',
    load: async () => (await import('../feeds/pages/feed-form.ts')).feedForm,
  },
  {
    path: '/dashboard/feeds/{id}',
    role: 'member',
    load: async () => (await import('../feeds/pages/feeds.ts')).feed,
  },
  {
    path: '/dashboard/feeds/{id}/edit',
    role: 'member',
    load: async () => (await import('../feeds/pages/feed-form.ts')).feedForm,
  },
  {
    path: '/dashboard/feeds/{id}/runs/{run}',
    role: 'member',
    load: async () => (await import('../feeds/pages/run.ts')).run,
  },
  {
    path: '/dashboard/leads',
    role: 'member',
    label: 'Leads',
    load: async () => (await import('./leads/leads.ts')).leads,
  },
  { path: '/dashboard/leads/{id}', role: 'member', load: async () => (await import('./leads/lead.ts')).lead },
  {
    path: '/dashboard/market',
    role: 'member',
    label: 'Market',
    load: async () => (await import('./market/market.ts')).market,
  },
  {
    path: '/dashboard/settings',
    role: 'member',
    label: 'Settings',
    load: async () => (await import('./settings/account.ts')).account,
  },
  {
    path: '/dashboard/erasure',
    role: 'owner',
    isForErasure: true,
    load: async () => (await import('./settings/erasure.ts')).erasure,
  },
  {
    path: '/dashboard/settings/keys',
    role: 'owner',
    load: async () => (await import('./settings/keys/keys.ts')).keys,
  },
  {
    path: '/dashboard/settings/keys/{id}',
    role: 'owner',
    load: async () => (await import('./settings/keys/key.ts')).key,
  },
  {
    path: '/dashboard/settings/people',
    role: 'owner',
    load: async () => (await import('./settings/people.ts')).people,
  },
  {
    path: '/dashboard/settings/dealers',
    role: 'member',
    load: async () => (await import('./settings/dealers/dealers.ts')).dealers,
  },
  {
    path: '/dashboard/settings/dealers/{slug}',
    role: 'member',
    load: async () => (await import('./settings/dealers/dealer.ts')).dealer,
  },
  {
    path: '/dashboard/settings/widget',
    role: 'member',
    load: async () => (await import('./settings/widget.ts')).widget,
  },
  {
    path: '/dashboard/activity',
    role: 'member',
    label: 'Activity',
    load: async () => (await import('./activity/activity.ts')).activity,
  },
  {
    path: '/dashboard/sign-in',
    role: 'anyone',
    load: async () => (await import('./sign-in/sign-in.ts')).signIn,
  },
  {
    path: '/dashboard/sign-in/code',
    role: 'anyone',
    load: async () => (await import('./sign-in/code.ts')).code,
  },
  {
    path: '/dashboard/sign-in/link/{token}',
    role: 'anyone',
    load: async () => (await import('./sign-in/link.ts')).link,
  },
  {
    path: '/dashboard/sign-in/operator',
    role: 'anyone',
    load: async () => (await import('./sign-in/operator.ts')).operator,
  },
  {
    path: '/dashboard/sign-out',
    role: 'anyone',
    load: async () => (await import('./sign-in/sign-out.ts')).signOut,
  },
  {
    path: '/dashboard/operator',
    role: 'operator',
    label: 'Accounts',
    load: async () => (await import('./operator/operator.ts')).operator,
  },
  {
    path: '/dashboard/operator/health',
    role: 'operator',
    label: 'Health',
    load: async () => (await import('./operator/health.ts')).health,
  },
  {
    path: '/dashboard/operator/accounts/{id}',
    role: 'operator',
    load: async () => (await import('./operator/account.ts')).account,
  },
];
