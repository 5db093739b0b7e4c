import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import type { Fault } from '../panel/requests.ts';
import { WORDS } from './words.ts';

/** Counts down for requests that were refused for a while. */
export function wait({ m, draw, timers }: PanelContext, fault: Fault): void {
  const { kind, seconds } = fault;
  if (kind !== 'wait') return;
  fault.text = kit.translate(WORDS)('wait');
  clearTimeout(timers.waiting);
  m.pause = Math.max(1, seconds);
  const tick = () => {
    m.pause -= 1;
    if (m.pause > 0) timers.waiting = setTimeout(tick, 1000);
    draw();
  };
  timers.waiting = setTimeout(tick, 1000);
  draw();
}
