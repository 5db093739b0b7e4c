import { describe, expect, it } from 'vitest';
import {
  bareFunction,
  coldStart,
  isFault,
  median,
  withinGoals,
} from '../../scripts/verify-build/cold-start.ts';
import { writeTree } from './small-tree.ts';

describe('a cold start', () => {
  it('is the first answer of a fresh process, with its time and peak memory', async () => {
    const bare = await bareFunction(process.cwd(), await writeTree({}));
    const { status, body, ms, megabytes } = await coldStart(bare);
    expect({ status, body }).toEqual({ status: 200, body: '{"ok":true}' });
    expect(ms).toBeGreaterThan(0);
    expect(megabytes).toBeGreaterThan(1);
  });

  it('fails for a fetch that needs `this`, which the platform does not give it', async () => {
    const handler =
      'class App { status = 200; fetch() { return new Response("", { status: this.status }); } }';
    const folder = await writeTree({ 'one.mjs': `${handler}\nexport default new App();` });
    await expect(coldStart({ name: 'one', folder, handler: 'one.mjs', path: '/' })).rejects.toThrow('status');
  });

  it('is told from what the function writes to its log', async () => {
    const chatty = `console.log('@answer-like line'); export default { fetch: () => new Response('real') };`;
    const folder = await writeTree({ 'one.mjs': chatty });
    const { body } = await coldStart({ name: 'one', folder, handler: 'one.mjs', path: '/' });
    expect(body).toBe('real');
  });

  it.each([
    [1.5, 80, true],
    [1.51, 60, false],
    [1.1, 80.1, false],
  ])('of %f× bare Hono and %f MB is within the goals: %s', (ratio, megabytes, within) => {
    expect(withinGoals({ ratio, megabytes })).toBe(within);
  });

  it.each([
    [1.64, 80, false],
    [1.66, 60, true],
    [1.1, 80.1, true],
  ])('of %f× bare Hono and %f MB is a fault, beyond what noise explains: %s', (ratio, megabytes, fault) => {
    expect(isFault({ ratio, megabytes })).toBe(fault);
  });

  it('counts by its median, which one slow run does not move', () => {
    expect(median([30, 900, 31, 29, 32])).toBe(31);
  });
});
