import { card, contact, icon, trouble } from '../panel/parts.tsx';
import type { Scene } from '../panel/scene.ts';
import { findSoon, findTrucks, isUnsearched } from './find.ts';

const search = (scene: Scene) => {
  const { say, m, number } = scene;
  const { value, exact } = m.count;
  return (
    <search>
      <label class="find">
        {icon('find')}
        <input
          class="start"
          type="search"
          maxlength={200}
          aria-label={say('find')}
          placeholder={say('find')}
          value={m.q}
          onInput={({ currentTarget }) => {
            m.q = currentTarget.value;
            findSoon(scene);
          }}
        />
      </label>
      <p class="soft" role="status">
        {m.trucks && !m.finding && !m.findFault && say('found', number(value) + (exact ? '' : '+'))}
      </p>
    </search>
  );
};

/** The page's truck leads the list that nobody has searched yet. */
function listed({ m }: Scene) {
  const { pageTruck: leading } = m;
  if (!m.trucks || !leading || !isUnsearched(m)) return m.trucks;
  return [leading, ...m.trucks.filter(({ vin }) => vin !== leading.vin)];
}

export function trucksView(scene: Scene) {
  const { m, chunks } = scene;
  return (
    <>
      {search(scene)}
      {m.trucks && <div class="ways">{chunks.narrow?.narrow(scene)}</div>}
      {chunks.narrow?.reading(scene)}
      <div class="body" aria-busy={m.finding} tabindex={0}>
        {!m.chat && trouble(scene, m.chatFault, () => findTrucks(scene))}
        {trouble(scene, m.findFault, () => findTrucks(scene, m.next))}
        {m.trucks && <ul>{listed(scene)?.map((truck) => card(scene, truck))}</ul>}
        {chunks.later?.more(scene)}
        {!m.finding && chunks.narrow?.closest(scene)}
      </div>
      <footer>{contact(scene, 'main')}</footer>
    </>
  );
}
