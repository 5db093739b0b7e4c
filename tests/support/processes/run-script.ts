import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program beside this process, whose service it may call; returns what it prints, throws when it fails. */
export async function runScript(
  command: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, options, { env: { PATH: process.env.PATH, ...env } });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${options.join(' ')} ended with ${code}\n${errors}${printed}`);
  return printed;
}
