import type { PageEntry } from '../http/pages/page.ts';

/** Every page of the dashboard, those with a label in the order of the navigation. A module is loaded when it is called. */
export const PAGES: readonly PageEntry[] = [
  { path: '/dashboard', role: 'member', label: 'Overview', load: () => import('./overview/overview.ts') },
  { path: '/dashboard/leads', role: 'member', label: 'Leads', load: () => import('../leads/pages/leads.ts') },
  {
    path: '/dashboard/inventory',
    role: 'member',
    label: 'Inventory',
    load: () => import('../inventory/pages/inventory.ts'),
  },
  { path: '/dashboard/inventory/{vin}', role: 'member', load: () => import('../inventory/pages/listing.ts') },
  {
    path: '/dashboard/issues',
    role: 'member',
    label: 'Issues',
    load: () => import('../issues/pages/issues.ts'),
  },
  {
    path: '/dashboard/upload',
    role: 'member',
    label: 'Upload',
    isOnlyForm: true,
    load: () => import('../feeds/pages/upload.ts'),
  },
  {
    path: '/dashboard/feeds',
    role: 'member',
    label: 'Feeds',
    load: async () => ({ default: (await import('../feeds/pages/feeds.ts')).feeds }),
  },
  { path: '/dashboard/feeds/new', role: 'member', load: () => import('../feeds/pages/feed-form.ts') },
  {
    path: '/dashboard/feeds/{id}',
    role: 'member',
    load: async () => ({ default: (await import('../feeds/pages/feeds.ts')).feed }),
  },
  { path: '/dashboard/feeds/{id}/edit', role: 'member', load: () => import('../feeds/pages/feed-form.ts') },
  { path: '/dashboard/feeds/{id}/runs/{run}', role: 'member', load: () => import('../feeds/pages/run.ts') },
  { path: '/dashboard/leads/{id}', role: 'member', load: () => import('../leads/pages/lead.ts') },
  {
    path: '/dashboard/market',
    role: 'member',
    label: 'Market',
    load: () => import('../market/pages/market.ts'),
  },
  {
    path: '/dashboard/settings',
    role: 'member',
    label: 'Settings',
    load: () => import('../accounts/pages/account.ts'),
  },
  {
    path: '/dashboard/erasure',
    role: 'owner',
    isForErasure: true,
    load: () => import('../accounts/pages/erasure.ts'),
  },
  { path: '/dashboard/settings/keys', role: 'owner', load: () => import('../accounts/keys/pages/keys.ts') },
  {
    path: '/dashboard/settings/keys/{id}',
    role: 'owner',
    load: () => import('../accounts/keys/pages/key.ts'),
  },
  {
    path: '/dashboard/settings/people',
    role: 'owner',
    load: () => import('../accounts/people/pages/people.ts'),
  },
  {
    path: '/dashboard/settings/dealers',
    role: 'member',
    load: () => import('../accounts/dealers/pages/dealers.ts'),
  },
  {
    path: '/dashboard/settings/dealers/{slug}',
    role: 'member',
    load: () => import('../accounts/dealers/pages/dealer.ts'),
  },
  { path: '/dashboard/settings/widget', role: 'member', load: () => import('../accounts/widget/page.ts') },
  {
    path: '/dashboard/activity',
    role: 'member',
    label: 'Activity',
    load: () => import('../accounts/pages/activity.ts'),
  },
  { path: '/dashboard/sign-in', role: 'anyone', load: () => import('../accounts/people/pages/sign-in.ts') },
  { path: '/dashboard/sign-in/code', role: 'anyone', load: () => import('../accounts/people/pages/code.ts') },
  {
    path: '/dashboard/sign-in/link/{token}',
    role: 'anyone',
    load: () => import('../accounts/people/pages/link.ts'),
  },
  {
    path: '/dashboard/sign-in/operator',
    role: 'anyone',
    load: () => import('../accounts/people/pages/operator.ts'),
  },
  { path: '/dashboard/sign-out', role: 'anyone', load: () => import('../accounts/people/pages/sign-out.ts') },
  {
    path: '/dashboard/operator',
    role: 'operator',
    label: 'Accounts',
    load: () => import('../accounts/operator/pages/operator.ts'),
  },
  {
    path: '/dashboard/operator/health',
    role: 'operator',
    label: 'Health',
    load: () => import('../accounts/operator/pages/health.ts'),
  },
  {
    path: '/dashboard/operator/accounts/{id}',
    role: 'operator',
    load: () => import('../accounts/operator/pages/account.ts'),
  },
];
