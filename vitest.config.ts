import { defineConfig } from 'vitest/config';
import type { StoreName } from './tests/support/store.ts';

const timeoutMs = 120_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const timeouts = { testTimeout: timeoutMs, hookTimeout: 120_000 };
const ARCHITECTURE_TESTS = ['tests/architecture.test.ts', 'tests/words.test.ts'];
const DATABASE_TESTS = ['tests/service/**', 'tests/adapters/postgres/**', 'tests/docs/**', 'tests/chaos/**'];
const BROWSER_TESTS = ['tests/{widget,dashboard,site}/**/*.test.ts'];

/** What a dealer sends is read and refused before any store is asked. */
const READERS = ['feeds-hostile', 'feed-preview', 'hostile', 'every-endpoint-bodies'];
/** Long random runs: of PGlite and PostgreSQL, whose statements the poolers only pass on. */
const RANDOM_RUNS = [
  'search-property',
  'sync-day',
  'tenancy',
  'market-secrets',
  'feeds-rooftops',
  'every-endpoint-access',
];
/** Plain pg behind PgBouncer runs what depends on the connection: all suites run behind it on the store `vercel`. */
const POOLED = [
  'concurrency',
  'every-endpoint',
  'feeds',
  'idempotency',
  'image-queue',
  'inventory-batch',
  'inventory-faults',
  'leads',
  'search',
];
const SUITES: Readonly<Record<StoreName, { include: string[]; exclude?: string[] }>> = {
  pglite: { include: ['*'] },
  postgres: { include: ['*'], exclude: READERS },
  pgbouncer: { include: POOLED },
  vercel: { include: ['*'], exclude: [...READERS, ...RANDOM_RUNS] },
};
const files = (suites: string[]) => suites.map((name) => `tests/service/${name}.test.ts`);

/** The service suites once per store. Files of a worker share its database; every suite makes its own accounts. */
function onStore(store: StoreName) {
  const { include, exclude = [] } = SUITES[store];
  return {
    test: {
      name: store,
      include: files(include),
      exclude: files(exclude),
      isolate: false,
      provide: { store },
      ...(store === 'pglite' ? {} : { globalSetup: ['tests/support/postgres-setup.ts'] }),
      ...timeouts,
    },
  };
}

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', './tests/support/closing-line.ts'] : ['default'],
    maxWorkers: 2,
    projects: [
      { test: { name: 'architecture', include: ARCHITECTURE_TESTS, ...timeouts } },
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...ARCHITECTURE_TESTS, ...DATABASE_TESTS, ...BROWSER_TESTS],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'databases',
          include: ['tests/{adapters/postgres,docs,chaos}/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-setup.ts'],
          ...timeouts,
        },
      },
      // One worker, after all others: its files share a browser and a service, and nothing else competes for the cores.
      {
        test: {
          name: 'widget',
          include: BROWSER_TESTS,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      ...(['pglite', 'postgres', 'pgbouncer', 'vercel'] as const).map(onStore),
    ],
  },
});
