import { endOnSignals } from '../../lib/local/signals.ts';

/** A process whose end hangs. */
process.stdin.resume();
endOnSignals(() => new Promise(() => undefined));
console.log('ready');
