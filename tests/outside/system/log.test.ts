import { afterEach, expect, test, vi } from 'vitest';
import { stdoutLog } from '../../../lib/outside/system/log.ts';

afterEach(() => vi.restoreAllMocks());

test.each(['line', 'moment'] as const)('errors go to stderr at once, and nothing else does (%s)', (pace) => {
  const [out, err] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const log = stdoutLog({ now: () => 0 }, pace);
  for (const level of ['info', 'warn', 'error']) log.write({ level });
  const [error] = err?.mock.calls.map(([text]) => JSON.parse(String(text))) ?? [];
  expect([err?.mock.calls.length, error]).toEqual([1, { time: '1970-01-01T00:00:00.000Z', level: 'error' }]);
  expect(String(out?.mock.calls)).not.toContain('error');
});
