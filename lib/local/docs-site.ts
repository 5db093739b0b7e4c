import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { HeaderSink, Platform } from './platform/platform.ts';
import { newRequestId } from './platform/responses.ts';

/** The docs site is built, not committed: whoever starts the service first without it builds it beside the service. */

const BUILD_SCRIPT = 'scripts/docs/build-site.ts';

export interface WithDocs {
  platform: Pick<Platform, 'dispatch' | 'log'>;
  /** Ends a build that still runs. */
  stop(): void;
}

/** Says meanwhile, to whoever asks for /docs, that they are being built; all others are answered as if there were no build. */
export function withDocs(platform: Platform, root: string): WithDocs {
  const isBuilt = existsSync(join(root, 'public/docs/index.html'));
  if (isBuilt || !existsSync(join(root, BUILD_SCRIPT))) return { platform, stop: () => {} };
  const { built, stop } = startBuild(platform, root);
  let isBuilding = true;
  void built.then(() => {
    isBuilding = false;
  });
  return {
    platform: {
      log: platform.log,
      dispatch(request: Request, outgoing?: HeaderSink) {
        const isForDocs = /^\/docs(\/|$)/.test(new URL(request.url).pathname);
        return isBuilding && isForDocs ? answerBeingBuilt() : platform.dispatch(request, outgoing);
      },
    },
    stop,
  };
}

const RETRY_SECONDS = 5;
const BEING_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The docs are being built</title>
<h1>The docs are being built</h1><p>This happens once, takes a minute or two, and the page then comes by itself. The service answers meanwhile.</p></html>`;

/** A build outlasts a request: the page asks again by itself. */
function answerBeingBuilt(): Response {
  const wait = String(RETRY_SECONDS);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'retry-after': wait, refresh: wait };
  return new Response(BEING_BUILT, {
    status: 503,
    headers: { ...headers, 'cache-control': 'no-store', 'x-request-id': newRequestId() },
  });
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
