import { existsSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Preloaded into the service: writes once a second how late its loop was since the file was last removed, ms. */
const file = process.env.LOOP_DELAY_FILE ?? '';
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
const toMs = (nanoseconds: number) => nanoseconds / 1e6;
setInterval(() => {
  if (!existsSync(file)) delays.reset();
  const figures = {
    p50: toMs(delays.percentile(50)),
    p99: toMs(delays.percentile(99)),
    max: toMs(delays.max),
  };
  writeFileSync(file, JSON.stringify(figures));
}, 1_000).unref();
