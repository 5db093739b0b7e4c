import { endOnSignals } from '../../lib/local/signals.ts';

/** A process whose end hangs. */
setInterval(() => undefined, 60_000);
endOnSignals(() => new Promise(() => undefined));
console.log('ready');
