import { kit } from '../kit/lent.ts';
import type { Scene } from '../panel/scene.ts';
import { WORDS } from './words.ts';

/** Below the list: that nothing matches, or the way to more. */
export function more(scene: Scene) {
  const { m } = scene;
  const say = kit.translate(WORDS);
  return (
    <>
      {m.trucks?.length === 0 && <p>{say('none')}</p>}
      {m.next && !m.findFault && (
        <button disabled={m.finding} onClick={() => kit.findTrucks(scene, m.next)}>
          {say('more')}
        </button>
      )}
    </>
  );
}
