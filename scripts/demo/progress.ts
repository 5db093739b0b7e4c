import { count, type Terminal } from './terminal.ts';

/** How far the push is: one line drawn over and over on a terminal, one line per step elsewhere. */
export interface Progress {
  show(done: number): void;
  /** Says why nothing moves. */
  waiting(seconds: number): void;
  end(): void;
}

const CELLS = 32;

export function progress(out: Terminal, total: number, now: () => number): Progress {
  const started = now();
  let last = 0;
  const line = (done: number): string => {
    const filled = Math.round((CELLS * done) / Math.max(1, total));
    const bar = out.green('█'.repeat(filled)) + out.dim('░'.repeat(CELLS - filled));
    return `    ${bar}  ${count(done)} / ${count(total)} ${out.dim(rate(done, now() - started))}`;
  };
  return {
    show(done) {
      last = done;
      if (out.redraws) out.redraw(line(done));
      else if (done > 0)
        out.print(`    ${count(done)} / ${count(total)} ${rate(done, now() - started)}`.trimEnd());
    },
    waiting(seconds) {
      const why = `the fair-use limit asks to wait ${seconds} s`;
      if (out.redraws) out.redraw(`${line(last)}  ${out.yellow(why)}`);
      else out.print(`    ${why}`);
    },
    end() {
      if (out.redraws) out.print();
    },
  };
}

/** '· 1,420 records/s'; nothing before anything was done. */
function rate(done: number, ms: number): string {
  return done === 0 || ms <= 0 ? '' : `· ${count(Math.round((done * 1000) / ms))} records/s`;
}
