import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program beside this process, whose service it may call; returns what it prints, throws when it fails. */
export async function runScript(
  command: string,
  options: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const limits = { env: { PATH: process.env.PATH, ...env }, maxBuffer: 64 * 1024 ** 2 };
  try {
    return (await promisify(execFile)(command, options, limits)).stdout;
  } catch (error) {
    // Of itself it quotes what went to stderr only.
    if (error instanceof Error && 'stdout' in error) error.message += `\n${error.stdout}`;
    throw error;
  }
}
