import { spawn } from 'node:child_process';

/**
 * Has a shell run `script` (with `args` as $1, $2 …) when this process is gone, however it went: it waits for the end
 * of a pipe that only this process holds open. Answers how to call it off.
 */
export function afterDeath(script: string, ...args: string[]): () => void {
  const shell = spawn('sh', ['-c', `cat > /dev/null; ${script}`, 'watchdog', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  // A pipe to a child is a socket, though not declared as one; it must not keep this process alive.
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return () => {
    shell.kill('SIGKILL');
  };
}
