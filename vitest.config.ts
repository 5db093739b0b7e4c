import { defineConfig } from 'vitest/config';
import { toList } from './lib/contract/record/to-list.ts';
import { hasCitus } from './tests/support/citus/citus-source.ts';
import type { StoreName } from './tests/support/service/store.ts';

const timeoutMs = 120_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const POSTGRES_SETUP = ['tests/support/postgres/postgres-setup.ts'];
const CITUS_SETUP = ['tests/support/citus/citus-setup.ts'];
/** A busy machine may fail a test once where nobody looks on; a fault fails it twice. */
const common = {
  retry: process.env.CI ? 1 : 0,
  testTimeout: timeoutMs,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};
const ARCHITECTURE_TESTS = ['tests/architecture.test.ts', 'tests/words.test.ts'];
const DATABASE_TESTS = ['tests/adapters/postgres/**/*.test.ts'];
const SERVICE_TESTS = ['tests/service/**'];
const CITUS_TESTS = ['tests/citus/**/*.test.ts'];
const BROWSER_TESTS = ['tests/{widget,dashboard}/**/*.test.ts'];
/** They change what a process has but once: its environment, its connections, its locks. */
const PROCESS_TESTS = ['tests/{local,scripts}/**/*.test.ts', 'tests/{connect,env}.test.ts'];

/**
 * `npm run test:long`: what takes long and seldom breaks alone. Killed workers, outages behind poolers, the docs site as
 * it is built, functions as they are bundled, others' linters and generators on the document.
 */
const LONG_TESTS = [
  'tests/{chaos,site}/**/*.test.ts',
  'tests/adapters/postgres/**/{embedded,feeds-killed,feeds-workers,queues-killed,outages-behind-poolers}.test.ts',
  'tests/adapters/feed-files/memory.test.ts',
  'tests/http/openapi-{clients,lint}.test.ts',
  'tests/{local/machine,scripts/prove-field,scripts/build/bundled-*,scripts/demo/{demo,dealers-site}}.test.ts',
];
/** Every page and view in a browser; what loses an enquiry or opens a door to strangers stays with `npm test`. */
const LONG_BROWSER_TESTS = [
  'tests/widget/{browsers,chat,firefox,page,page-truck,search,states,tag}.test.ts',
  'tests/dashboard/pages.test.ts',
];

/** What depends on a server: several connections at once, its locks, its plans. All others send PGlite the same statements. */
const SERVER = toList(`
  chat/chat, chat/provider, endpoints/every-endpoint, endpoints/health-and-cron, endpoints/idempotency,
  feeds/changes, feeds/feeds, images/queue, inventory/batch, inventory/bulk-status, inventory/concurrency,
  inventory/faults, inventory/remote-geocoder, inventory/sync-day, issues/issues, leads/conversations,
  leads/leads, leads/seller, leads/loss, search/export-pages, search/facets, search/property, search/search
`);
/** Of these PGlite, where all share one session, has promises of its own. */
const BOTH = [
  'endpoints/every-endpoint',
  'endpoints/idempotency',
  'inventory/batch',
  'inventory/concurrency',
  'inventory/faults',
];
const SERVER_ALONE = SERVER.filter((name) => !BOTH.includes(name));
/** Plain pg behind PgBouncer runs what depends on the connection: all suites run behind it on the store `vercel`. */
const POOLED = toList(`
  endpoints/every-endpoint, endpoints/idempotency, feeds/feeds, images/queue, inventory/batch,
  inventory/concurrency, inventory/faults, leads/conversations, leads/leads, leads/seller, search/search
`);
/** What a dealer sends is read and refused before any store is asked. */
const READERS = ['endpoints/bodies', 'endpoints/hostile', 'feeds/hostile', 'feeds/preview'];
/** Long random runs: of PGlite and PostgreSQL, whose statements the poolers only pass on. */
const RANDOM_RUNS = [
  'endpoints/access',
  'endpoints/tenancy',
  'feeds/rooftops',
  'inventory/sync-day',
  'market/secrets',
  'search/property',
];

const files = (suites: string[]) => suites.map((name) => `tests/service/${name}.test.ts`);

/** The service suites once per store. Files of a worker share its database; every suite makes its own accounts. */
function onStore(name: string, store: StoreName, include: string[], exclude: string[] = []) {
  return {
    test: {
      name,
      include: files(include),
      exclude: files(exclude),
      isolate: false,
      provide: { store },
      ...(store === 'pglite' ? {} : { globalSetup: store === 'citus' ? CITUS_SETUP : POSTGRES_SETUP }),
      ...common,
    },
  };
}

/** The files of a worker share a browser and a service. */
const inBrowser = (name: string, include: string[], exclude: string[] = []) => ({
  test: { name, include, exclude, isolate: false, ...common },
});

/** Faults are planted by triggers, which a distributed table has none of. */
const BY_TRIGGERS = ['inventory/faults'];
/** A coordinator and two workers, where there are any. */
const ON_CITUS = hasCitus()
  ? [
      onStore('long-citus', 'citus', ['**/*'], [...READERS, ...RANDOM_RUNS, ...BY_TRIGGERS]),
      { test: { name: 'long-cluster', include: ['tests/citus/cluster.test.ts'], ...common } },
    ]
  : [{ test: { name: 'long-citus', include: ['tests/citus/absent.test.ts'] } }];

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', './tests/support/processes/closing-line.ts'] : ['default'],
    maxWorkers: 2,
    projects: [
      { test: { name: 'architecture', include: ARCHITECTURE_TESTS, ...common } },
      // Its files share their worker's modules: to load the service takes longer than most of them.
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [
            ...ARCHITECTURE_TESTS,
            ...SERVICE_TESTS,
            ...LONG_TESTS,
            ...CITUS_TESTS,
            ...DATABASE_TESTS,
            ...BROWSER_TESTS,
            ...PROCESS_TESTS,
          ],
          isolate: false,
          ...common,
        },
      },
      { test: { name: 'processes', include: PROCESS_TESTS, exclude: LONG_TESTS, ...common } },
      {
        test: {
          name: 'databases',
          include: DATABASE_TESTS,
          exclude: LONG_TESTS,
          globalSetup: POSTGRES_SETUP,
          ...common,
        },
      },
      inBrowser('browser', BROWSER_TESTS, LONG_BROWSER_TESTS),
      onStore('pglite', 'pglite', ['**/*'], SERVER_ALONE),
      onStore('postgres', 'postgres', SERVER),
      inBrowser('long-browser', LONG_BROWSER_TESTS),
      { test: { name: 'long', include: LONG_TESTS, globalSetup: POSTGRES_SETUP, ...common } },
      // The poolers, hash partitions, and each suite on the store that `npm test` leaves out.
      onStore('long-pglite', 'pglite', SERVER_ALONE),
      onStore('long-postgres', 'postgres', ['**/*'], [...SERVER, ...READERS]),
      onStore('long-partitions', 'partitions', SERVER),
      onStore('long-pgbouncer', 'pgbouncer', POOLED),
      onStore('long-vercel', 'vercel', ['**/*'], [...READERS, ...RANDOM_RUNS]),
      ...ON_CITUS,
    ],
  },
});
