import { describe, expect, it } from 'vitest';
import { isFault, median, withinGoals } from '../../../scripts/verify-build/cold-start.ts';
import { startProcess } from '../../../scripts/verify-build/start-process.ts';
import { writeTree } from './small-tree.ts';

const NO_DATABASE = 'postgres://nobody:nothing@127.0.0.1:1/none';

async function startSmall(code: string, request = { path: '/' }) {
  const folder = await writeTree({ 'one.mjs': code });
  return startProcess({ name: 'one', folder, handler: 'one.mjs' }, request, NO_DATABASE);
}

describe('a cold start', () => {
  it('is the first answer of a fresh process, with its time and peak memory', async () => {
    const echo = 'export default { fetch: async (request) => new Response(await request.text()) };';
    const request = { path: '/', method: 'POST', body: 'one truck' };
    const { status, body, ms, megabytes } = await startSmall(echo, request);
    expect({ status, body }).toEqual({ status: 200, body: 'one truck' });
    expect(ms).toBeGreaterThan(0);
    expect(megabytes).toBeGreaterThan(1);
  });

  it('fails for a fetch that needs `this`, which the platform does not give it', async () => {
    const handler =
      'class App { status = 200; fetch() { return new Response("", { status: this.status }); } }';
    await expect(startSmall(`${handler}\nexport default new App();`)).rejects.toThrow('status');
  });

  it('is told from what the function writes to its log', async () => {
    const chatty = `console.log('@answer-like line'); export default { fetch: () => new Response('real') };`;
    expect((await startSmall(chatty)).body).toBe('real');
  });

  it.each([
    [1.5, 80, true],
    [1.51, 60, false],
    [1.1, 80.1, false],
  ])('of %f× the bare function and %f MB is within the goals: %s', (ratio, megabytes, within) => {
    expect(withinGoals({ ratio, megabytes })).toBe(within);
  });

  it.each([
    [3, 95, false],
    [3.01, 60, true],
    [1.1, 95.1, true],
  ])('of %f× the bare function and %f MB is a fault: %s', (ratio, megabytes, fault) => {
    expect(isFault({ ratio, megabytes })).toBe(fault);
  });

  it('counts by its median, which one slow run does not move', () => {
    expect(median([30, 900, 31, 29, 32])).toBe(31);
  });
});
