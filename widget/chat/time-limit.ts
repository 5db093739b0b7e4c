/** Aborts after so many milliseconds without a restart, or with the other signal. */
export function timeLimit(signal: AbortSignal, ms: number) {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), ms);
  };
  restart();
  signal.addEventListener('abort', () => abort.abort());
  return { signal: abort.signal, restart, end: () => clearTimeout(timer) };
}
