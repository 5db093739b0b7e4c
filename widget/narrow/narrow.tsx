import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import type { TruckList } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import css from './narrow.css';
import { WORDS } from './words.ts';

/** What narrows the list of trucks, and how a search was read: a chunk of the panel. */

/** Takes what the panel has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

/** The facets of a narrowed list would leave out what was not chosen. */
export function take(
  { m, draw }: PanelContext,
  { facets, understood = null, closest = [] }: TruckList,
): void {
  if (!Object.keys(m.narrowed)[0]) m.facets = facets;
  Object.assign(m, { understood, closest });
  draw();
}

export function countText({ m, identity }: PanelContext): string {
  const say = kit.translate(WORDS);
  const { value, exact } = m.count;
  if (!m.trucks || m.finding || m.findFault) return '';
  if (value < 2) return say(value ? 'one' : 'none');
  return say('found', format(identity, value) + (exact ? '' : '+'));
}

const format = ({ locale }: PanelContext['identity'], value: number) => value.toLocaleString(`${locale}-US`);

type Option = [value: string, name: string];
type Name = 'bodyType' | 'make' | 'priceMax' | 'mileageMax' | 'yearMin' | 'class';

const SORTS = ['newest', 'price', 'mileage'] as const;
const PRICES = [20_000, 40_000, 60_000, 80_000, 100_000, 150_000];
const MILES = [50_000, 100_000, 200_000, 300_000, 500_000];

/** Currency of the last list with prices; the search compares plain amounts. */
let currency = 'USD';
/** A price in pesos has about as many more digits. */
const PESO_SCALE = 20;

/** Parameters of the search with their values. */
function listFilters({ m, money, identity }: PanelContext): [Name, Option[]][] {
  const say = kit.translate(WORDS);
  const countedOptions = (facet: string): Option[] =>
    (m.facets?.[facet] ?? []).map(({ value, name, count }) => [value, `${name} (${count})`]);
  const years = m.facets?.year ?? [];
  currency = m.trucks?.find(({ price }) => price)?.currency ?? currency;
  const scale = currency === 'MXN' ? PESO_SCALE : 1;
  return [
    ['bodyType', countedOptions('bodyType')],
    ['make', countedOptions('make')],
    ['priceMax', PRICES.map((each) => [`${each * scale}`, say('under', money(each * scale, currency))])],
    ['mileageMax', MILES.map((miles) => [`${miles}`, say('under', `${format(identity, miles)} mi`)])],
    ['yearMin', years.map(({ value }) => [value, say('newer', value)])],
    ['class', countedOptions('class')],
  ];
}

export function narrow(panel: PanelContext) {
  const { m } = panel;
  const say = kit.translate(WORDS);
  const choose = (name: string, value: string) => {
    const { [name]: _, ...others } = m.narrowed;
    m.narrowed = value ? { ...others, [name]: value } : others;
    kit.findTrucks(panel);
  };
  const pick = (
    name: string,
    title: string,
    value: string,
    options: Option[],
    change: (value: string) => void,
  ) => (
    <select
      key={name}
      class={value && value !== 'newest' ? 'on' : ''}
      aria-label={title}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option value={each}>{text}</option>
      ))}
    </select>
  );
  const sort = (value: string) => {
    m.sort = value;
    kit.findTrucks(panel);
  };
  return (
    <>
      {pick(
        'sort',
        say('sort'),
        m.sort,
        SORTS.map((each) => [each, say(each)]),
        sort,
      )}
      {m.facets &&
        listFilters(panel).map(
          ([name, options]) =>
            (options[1] || m.narrowed[name]) &&
            pick(name, say(name), m.narrowed[name] ?? '', [['', say(name)], ...options], (value) =>
              choose(name, value),
            ),
        )}
    </>
  );
}

/** How the words were read. */
/** The reading is taken out of the words. */
export function reading(panel: PanelContext) {
  const { m } = panel;
  const say = kit.translate(WORDS);
  if (!m.q || m.finding) return null;
  const { readings = [], dropped = [], without = [] } = m.understood ?? {};
  if (!readings[0] && !dropped[0]) return null;
  return (
    <p class="read soft">
      {readings[0] && `${say('read')} `}
      {readings.map((text, at) => (
        <button
          aria-label={say('remove', text)}
          onClick={() => {
            m.q = without[at] ?? '';
            kit.findTrucks(panel);
          }}
        >
          {text} ×
        </button>
      ))}
      {dropped[0] && say('dropped', dropped.join(', '))}
    </p>
  );
}

/** When nothing matches. */
export function closest(panel: PanelContext) {
  const { m } = panel;
  const say = kit.translate(WORDS);
  if (m.trucks?.[0] || !m.trucks) return null;
  const showAll = () => {
    m.q = '';
    m.narrowed = {};
    kit.findTrucks(panel);
  };
  return (
    <>
      <button onClick={showAll}>{say('all')}</button>
      {m.closest?.[0] && <h3>{say('closest')}</h3>}
      <ul>{m.closest?.map((truck) => kit.card(panel, truck))}</ul>
    </>
  );
}
