import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../lib/errors.ts';
import { type Exchange, toCurl } from '../../scripts/docs/call.ts';
import { EXAMPLES } from '../../scripts/docs/examples.ts';
import { useRecording } from '../support/service/recording.ts';

/** As pages show it. */
const SHOWN_ACCOUNT = 'acc_5f2b8c1e9d04a7b36e18c2f0';
/** What the shell prints after the arguments of a call. */
const END = 'end of the call';

const recording = await useRecording();

test('every code has an example', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(Object.keys(ERRORS).sort());
});

describe('a curl line', () => {
  /** The arguments that a shell hands to each curl. */
  function readArguments(curls: readonly string[]): string[][] {
    const script = `curl() { printf '%s\\0' "$@"; printf '${END}\\0'; }\n${curls.join('\n')}`;
    const env = {
      BASE: 'http://base',
      KEY: 'the-key',
      WIDGET_KEY: 'w',
      ADMIN_TOKEN: 'a',
      CRON_SECRET: 'c',
      ACCOUNT_ID: SHOWN_ACCOUNT,
    };
    const { stdout, status } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
    expect(status).toBe(0);
    const calls = stdout.split(`${END}\0`).slice(0, -1);
    return calls.map((call) => call.split('\0').slice(0, -1));
  }

  const readBody = (args: readonly string[]): unknown => {
    const at = args.indexOf('-d');
    return at < 0 ? undefined : JSON.parse(args[at + 1] ?? '');
  };

  test('sends in a shell exactly what was sent when the answer was recorded', () => {
    const all: Exchange[] = Object.values(recording.steps);
    expect(all.length).toBeGreaterThan(50);
    const printed = readArguments(all.map(({ call }) => toCurl(call)));
    expect(printed).toHaveLength(all.length);
    for (const [at, { sentJson }] of all.entries()) {
      const args = printed[at] ?? [];
      expect(args.some((arg) => arg.startsWith('http://base/'))).toBe(true);
      if (sentJson !== undefined) expect(readBody(args)).toEqual(sentJson);
    }
  });
});
