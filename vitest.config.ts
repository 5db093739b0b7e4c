import { defineConfig } from 'vitest/config';
import { toList } from './lib/truck/text/table.ts';

const timeoutMs = 120_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const POSTGRES_SETUP = 'tests/support/postgres/postgres-setup.ts';
const common = {
  // Node strips types by WebAssembly, in worker threads too, and crashes now and then as it replaces the wrappers of a
  // thread that ends (SIGSEGV, `jit_page.has_value()`).
  execArgv: ['--no-wasm-generic-wrapper'],
  testTimeout: timeoutMs,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  globalSetup: [POSTGRES_SETUP],
};

const CLUSTER = ['tests/citus/cluster.test.ts'];

/** They change what a process has but once: its environment, its connections, its locks. */
const ISOLATED = [
  'tests/{local,scripts}/**/*.test.ts',
  'tests/{connect,env}.test.ts',
  'tests/*/postgres/**/*.test.ts',
];

/** The service over HTTP: each concern's routes and pages. */
const SERVICE = ['tests/*/{service,pages}/*.test.ts'];
/** Its widget and pages in a browser. */
const BROWSER = ['tests/{widget,dashboard}/browser/*.test.ts'];

/**
 * `npm run test:long`: what takes long and seldom breaks alone. Killed workers, outages behind poolers, the docs site as
 * it is built, functions as they are bundled, others' linters and generators on the document, and every view in a
 * browser; what loses an enquiry or opens a door to strangers stays with `npm test`.
 */
const LONG = [
  'tests/{chaos,site}/**/*.test.ts',
  'tests/*/postgres/**/{feeds-killed,feeds-workers,queues-killed,outages-behind-poolers}.test.ts',
  'tests/feeds/files/memory.test.ts',
  'tests/http/openapi-{clients,lint}.test.ts',
  'tests/{local/machine,scripts/prove-field,scripts/build/bundled-*,scripts/demo}.test.ts',
  'tests/widget/browser/{browsers,chat,firefox,page,page-truck,search,states,tag}.test.ts',
  'tests/dashboard/browser/pages.test.ts',
];

/** The service's core, which also runs behind each pooler and on a cluster. */
const CORE = toList(`
  http/every-endpoint, http/idempotency, feeds/changes, feeds/feeds, images/queue, inventory/batch,
  inventory/bulk-status, inventory/concurrency, inventory/faults, leads/conversations, leads/leads, leads/seller,
  market/prices, search/search
`).map((name) => `tests/${name.replace('/', '/service/')}.test.ts`);
/** Faults are planted by triggers, which a distributed table has none of. */
const BY_TRIGGERS = ['tests/inventory/service/faults.test.ts'];

/** STORE=pgbouncer, vercel or citus: the core on that store, and on a cluster what only a cluster has. */
const { STORE } = process.env;
const isCitus = STORE === 'citus';

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...CLUSTER, ...ISOLATED, ...SERVICE, ...BROWSER, ...LONG],
          // The files of a worker share its modules: to load the service takes longer than most of them.
          isolate: false,
          ...common,
        },
      },
      { test: { name: 'isolated', include: isCitus ? CLUSTER : ISOLATED, exclude: LONG, ...common } },
      {
        test: {
          name: 'service',
          include: STORE ? CORE : SERVICE,
          exclude: isCitus ? BY_TRIGGERS : LONG,
          setupFiles: ['tests/support/service/tenancy.ts'],
          // The files of a worker share its database; every suite makes its own accounts.
          isolate: false,
          ...common,
          globalSetup: [isCitus ? 'tests/support/citus/citus-setup.ts' : POSTGRES_SETUP],
        },
      },
      // The files of a worker share its browser.
      { test: { name: 'browser', include: BROWSER, exclude: LONG, isolate: false, ...common } },
      { test: { name: 'long', include: LONG, ...common } },
    ],
  },
});
