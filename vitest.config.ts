import { defineConfig } from 'vitest/config';
import type { StoreName } from './tests/support/store.ts';

const patience = 60_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const timeouts = { testTimeout: patience, hookTimeout: 120_000 };
const DATABASE_TESTS = ['tests/service/**', 'tests/adapters/postgres/**', 'tests/docs/**', 'tests/chaos/**'];
const BROWSER_TESTS = ['tests/widget/**/*.test.ts'];

/** The service suites once per store. Files of a worker share its database; every suite makes its own accounts. */
function onStore(store: StoreName) {
  return {
    test: {
      name: store,
      include: ['tests/service/**/*.test.ts'],
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
      { test: { name: 'architecture', include: ['tests/architecture.test.ts'], ...timeouts } },
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/architecture.test.ts', ...DATABASE_TESTS, ...BROWSER_TESTS],
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
