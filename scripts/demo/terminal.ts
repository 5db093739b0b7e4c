/** Calm output: a few ANSI colours on a terminal that wants them, plain lines everywhere else. */
export interface Terminal {
  /** Whether a person looks on: secrets are printed nowhere else. */
  readonly isWatched: boolean;
  /** Whether a line may be drawn over again. */
  readonly redraws: boolean;
  /** Columns to fill, 60 to 100. */
  readonly width: number;
  print(line?: string): void;
  /** Draws over the current line; only where `redraws`. */
  redraw(line: string): void;
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

interface Screen {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

/** NO_COLOR (no-color.org) and TERM=dumb are honoured. */
export function terminal(screen: Screen, env: Readonly<Record<string, string | undefined>>): Terminal {
  const redraws = screen.isTTY === true && env.TERM !== 'dumb';
  const coloured = redraws && !env.NO_COLOR;
  const paint = (open: number, close: number) => (text: string) =>
    coloured ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    isWatched: screen.isTTY === true,
    redraws,
    width: Math.min(100, Math.max(60, screen.columns ?? 100)),
    print: (line = '') => void screen.write(`${line}\n`),
    redraw: (line) => void screen.write(`\r\u001b[2K${line}`),
    bold: paint(1, 22),
    dim: paint(2, 22),
    green: paint(32, 39),
    yellow: paint(33, 39),
    red: paint(31, 39),
  };
}

/** Breaks a text at spaces into lines of at most `width` characters, all after the first moved in by `indent`. */
export function wrapped(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - indent) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** 1250 → '1,250'. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Milliseconds as '0.42 s' or '12.3 s'. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
