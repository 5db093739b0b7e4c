import type { PanelContext } from '../panel/panel-context.ts';
import { card, contact, icon, trouble } from '../panel/parts.tsx';
import { findSoon, findTrucks, isUnsearched } from './find.ts';

const search = (panel: PanelContext) => {
  const { say, m, chunks } = panel;
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
            findSoon(panel);
          }}
        />
      </label>
      <p class="soft" role="status">
        {chunks.narrow?.countText(panel) || '\u00a0'}
      </p>
    </search>
  );
};

/** The page's truck leads the list that nobody has searched yet. */
function truckList({ m }: PanelContext) {
  const { pageTruck: leading } = m;
  if (!m.trucks || !leading || !isUnsearched(m)) return m.trucks;
  return [leading, ...m.trucks.filter(({ vin }) => vin !== leading.vin)];
}

export function trucksView(panel: PanelContext) {
  const { m, chunks } = panel;
  return (
    <>
      {search(panel)}
      {m.trucks && <div class="ways">{chunks.narrow?.narrow(panel)}</div>}
      {chunks.narrow?.reading(panel)}
      <div class="body" aria-busy={m.finding} tabindex={0}>
        {!m.chat && trouble(panel, m.chatFault, () => findTrucks(panel))}
        {trouble(panel, m.findFault, () => findTrucks(panel, m.next))}
        {m.trucks && <ul>{truckList(panel)?.map((truck) => card(panel, truck))}</ul>}
        {chunks.later?.more(panel)}
        {!m.finding && chunks.narrow?.closest(panel)}
      </div>
      <footer>{contact(panel, 'main')}</footer>
    </>
  );
}
