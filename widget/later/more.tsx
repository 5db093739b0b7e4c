import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { WORDS } from './words.ts';

/** Below the list: that nothing matches, or the way to more. */
export function more(panel: PanelContext) {
  const { m } = panel;
  const say = kit.translate(WORDS);
  return (
    <>
      {m.trucks?.length === 0 && <p>{say('none')}</p>}
      {m.next && !m.findFault && (
        <button disabled={m.finding} onClick={() => kit.findTrucks(panel, m.next)}>
          {say('more')}
        </button>
      )}
    </>
  );
}
