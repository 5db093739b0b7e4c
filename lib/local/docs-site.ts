import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { HeaderSink, Platform } from './platform/platform.ts';

/** The docs site is built, not committed: whoever starts the service first without it builds it beside the service. */

const BUILD_SCRIPT = 'scripts/docs/build-site.ts';

export interface WithDocs {
  platform: Pick<Platform, 'dispatch' | 'log'>;
  /** Ends a build that still runs. */
  stop(): void;
}

/** Requests for /docs wait for the build; all others are answered as if there were none. */
export function withDocs(platform: Platform, root: string): WithDocs {
  const isBuilt = existsSync(join(root, 'public/docs/index.html'));
  if (isBuilt || !existsSync(join(root, BUILD_SCRIPT))) return { platform, stop: () => {} };
  const { built, stop } = startBuild(platform, root);
  let isBuilding = true;
  const ready = built.then(() => {
    isBuilding = false;
  });
  return {
    platform: {
      log: platform.log,
      dispatch(request: Request, outgoing?: HeaderSink) {
        const waits = isBuilding && /^\/docs(\/|$)/.test(new URL(request.url).pathname);
        if (!waits) return platform.dispatch(request, outgoing);
        return ready.then(() => platform.dispatch(request, outgoing));
      },
    },
    stop,
  };
}

function startBuild(platform: Platform, root: string): { built: Promise<void>; stop(): void } {
  const child = spawn(process.execPath, [join(root, BUILD_SCRIPT)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The service and its demo come first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const ended = once(child, 'close').then(
    ([code]) => (code === 0 || child.killed ? null : errors),
    (error: unknown) => String(error),
  );
  const built = ended.then(async (error) => {
    if (error !== null) platform.log({ level: 'error', event: 'docs not built', error });
    await platform.refreshStatic();
  });
  return { built, stop: () => void child.kill() };
}
