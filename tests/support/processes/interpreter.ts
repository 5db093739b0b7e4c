import { spawn } from 'node:child_process';

/** Runs programs one after the other in one process: to start one for each takes longer than what they do. */
export interface Interpreter {
  /** Runs a file, which nothing has run before, with more in its environment; returns what it prints. */
  run(file: string, env: Readonly<Record<string, string>>): Promise<string>;
  end(): void;
}

/** Stands after all that a file printed. */
const END = '\0\n';

/** For each language a loop: read a line, run its file as a program of its own would be run, say that it ended. */
const LOOPS = {
  JavaScript: [
    process.execPath,
    '--input-type=module',
    '-e',
    `import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin })) {
      const { file, env } = JSON.parse(line);
      Object.assign(process.env, env);
      await import(file).catch((error) => console.log(error));
      console.log('\\0');
    }`,
  ],
  Python: [
    'python3',
    '-c',
    `import json, os, runpy, sys, traceback
for line in sys.stdin:
    job = json.loads(line)
    os.environ.update(job["env"])
    try:
        runpy.run_path(job["file"], run_name="__main__")
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    print("\\0", flush=True)`,
  ],
  PHP: [
    'php',
    '-r',
    `while ($line = fgets(STDIN)) {
      $job = json_decode($line, true);
      foreach ($job['env'] as $name => $value) putenv("$name=$value");
      try { include $job['file']; } catch (Throwable $error) { echo $error; }
      echo "\\0\\n";
    }`,
  ],
} as const;

export function startInterpreter(language: keyof typeof LOOPS): Interpreter {
  const [command, ...options] = LOOPS[language];
  const child = spawn(command, options, {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  let settle: (ended: boolean) => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.endsWith(END)) settle(true);
  });
  child.once('close', () => settle(false));
  return {
    async run(file, env) {
      printed = '';
      const ended = await new Promise<boolean>((resolve) => {
        settle = resolve;
        child.stdin.write(`${JSON.stringify({ file, env })}\n`);
      });
      if (!ended) throw new Error(`${file} ended its interpreter:\n${printed}`);
      return printed.slice(0, -END.length);
    },
    end: () => child.stdin.end(),
  };
}
