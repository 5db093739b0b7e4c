import { defineConfig } from 'vitest/config';
import { toList } from './lib/contract/record/to-list.ts';
import { hasCitus } from './tests/support/citus/citus-source.ts';
import type { StoreName } from './tests/support/service/store.ts';

const timeoutMs = 120_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const CITUS_SETUP = ['tests/support/citus/citus-setup.ts'];
/** A busy machine may fail a test once where nobody looks on; a fault fails it twice. */
const common = {
  // Node strips types by WebAssembly, in worker threads too, and crashes now and then as it replaces the wrappers of a
  // thread that ends (SIGSEGV, `jit_page.has_value()`).
  execArgv: ['--no-wasm-generic-wrapper'],
  retry: process.env.CI ? 1 : 0,
  testTimeout: timeoutMs,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  globalSetup: ['tests/support/postgres/postgres-setup.ts'],
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
  'tests/adapters/postgres/**/{feeds-killed,feeds-workers,queues-killed,outages-behind-poolers}.test.ts',
  'tests/adapters/feed-files/memory.test.ts',
  'tests/http/openapi-{clients,lint}.test.ts',
  'tests/{local/machine,scripts/prove-field,scripts/build/bundled-*,scripts/demo}.test.ts',
];
/** Every page and view in a browser; what loses an enquiry or opens a door to strangers stays with `npm test`. */
const LONG_BROWSER_TESTS = [
  'tests/widget/{browsers,chat,firefox,page,page-truck,search,states,tag}.test.ts',
  'tests/dashboard/pages.test.ts',
];

/** The service's core, which runs behind each pooler, on hash partitions and on a cluster as well. */
const CORE = toList(`
  endpoints/every-endpoint, endpoints/idempotency, feeds/changes, feeds/feeds, images/queue, inventory/batch,
  inventory/bulk-status, inventory/concurrency, inventory/faults, leads/conversations, leads/leads, leads/seller,
  search/facets, search/search
`);
/** Faults are planted by triggers, which a distributed table has none of. */
const BY_TRIGGERS = ['inventory/faults'];

const files = (suites: string[]) => suites.map((name) => `tests/service/${name}.test.ts`);

/** Service suites on a store. Files of a worker share its database; every suite makes its own accounts. */
const onStore = (name: string, store: StoreName, suites: string[], exclude: string[] = []) => ({
  test: {
    name,
    include: files(suites),
    exclude: files(exclude),
    isolate: false,
    provide: { store },
    ...(store === 'citus' ? { ...common, globalSetup: CITUS_SETUP } : common),
  },
});

/** The files of a worker share a browser and a service. */
const inBrowser = (name: string, include: string[], exclude: string[] = []) => ({
  test: { name, include, exclude, isolate: false, ...common },
});

/** A coordinator and two workers, where there are any. */
const ON_CITUS = hasCitus()
  ? [
      onStore('long-citus', 'citus', CORE, BY_TRIGGERS),
      { test: { name: 'long-cluster', include: ['tests/citus/cluster.test.ts'], ...common } },
    ]
  : [{ test: { name: 'long-citus', include: ['tests/citus/absent.test.ts'] } }];

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', './tests/support/processes/closing-line.ts'] : ['default'],
    maxWorkers: 2,
    projects: [
      { test: { name: 'architecture', include: ARCHITECTURE_TESTS } },
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
      { test: { name: 'databases', include: DATABASE_TESTS, exclude: LONG_TESTS, ...common } },
      inBrowser('browser', BROWSER_TESTS, LONG_BROWSER_TESTS),
      onStore('service', 'postgres', ['**/*']),
      inBrowser('long-browser', LONG_BROWSER_TESTS),
      { test: { name: 'long', include: LONG_TESTS, ...common } },
      onStore('long-partitions', 'partitions', CORE),
      onStore('long-pgbouncer', 'pgbouncer', CORE),
      onStore('long-vercel', 'vercel', CORE),
      ...ON_CITUS,
    ],
  },
});
