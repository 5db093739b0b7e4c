import { expect, it } from 'vitest';
import { progress } from '../../../scripts/demo/progress.ts';
import { terminal, wrapped } from '../../../scripts/demo/terminal.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 90, written, write: (text: string) => written.push(text) };
}

it('writes no escape sequence to a pipe or a file', () => {
  const pipe = screen(false);
  const out = terminal(pipe, {});
  out.print(out.bold(out.green('ready')));
  const bar = progress(out, 1_250, () => 0);
  bar.show(0);
  bar.show(500);
  bar.end();
  expect(pipe.written.join('')).toBe('ready\n    500 / 1,250\n');
});

it('honours NO_COLOR on a terminal, and still draws the bar on one line', () => {
  const tty = screen(true);
  const out = terminal(tty, { NO_COLOR: '1' });
  expect(out.green('ready')).toBe('ready');
  const bar = progress(out, 1_000, () => 0);
  bar.show(0);
  bar.show(500);
  bar.end();
  const text = tty.written.join('');
  expect(text).toContain(`${'█'.repeat(16)}${'░'.repeat(16)}  500 / 1,000`);
  expect(text.match(/\n/g)).toHaveLength(1);
});

it('breaks long texts at spaces and indents what follows', () => {
  expect(wrapped('send all seventeen characters', 16, 4)).toBe('send all\n    seventeen\n    characters');
});
