import type { ComponentChildren } from 'preact';
import type { View } from './model.ts';
import { card, contact, icon, photo, plain, priceOf, type Scene, summary, trouble } from './parts.tsx';

const SORTS = [
  ['newest', 'newest'],
  ['price', 'cheapest'],
  ['mileage', 'fewest'],
] as const;

function trucks(scene: Scene) {
  const { say, m, act, number } = scene;
  const { value, exact } = m.count;
  return (
    <>
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
              act.findSoon();
            }}
          />
        </label>
        <p class="row soft">
          <span role="status">
            {m.trucks && !m.finding && !m.findFault && say('found', number(value) + (exact ? '' : '+'))}
          </span>
          <select
            aria-label={say('sort')}
            value={m.sort}
            onChange={({ currentTarget }) => {
              m.sort = currentTarget.value;
              act.find();
            }}
          >
            {SORTS.map(([sort, word]) => (
              <option value={sort}>{say(word)}</option>
            ))}
          </select>
        </p>
      </search>
      <div class="body" aria-busy={m.finding} tabindex={0}>
        {!m.chat && trouble(scene, m.talkFault, act.find)}
        {trouble(scene, m.findFault, () => act.find(m.next))}
        {m.trucks && <ul>{m.trucks.map((truck) => card(scene, truck))}</ul>}
        {m.trucks?.length === 0 && <p>{say('none')}</p>}
        {m.next && !m.findFault && (
          <button disabled={m.finding} onClick={() => act.find(m.next)}>
            {say('more')}
          </button>
        )}
      </div>
      <footer>{contact(scene, 'main')}</footer>
    </>
  );
}

function truck(scene: Scene) {
  const { say, m, act } = scene;
  const { truck } = m;
  if (!truck) return null;
  const { condition, url } = truck;
  const facts = [
    [say('class'), truck.class?.replace(/\D/g, '')],
    [
      say('condition'),
      condition && (condition === 'new' || condition === 'used' ? say(condition) : plain(condition)),
    ],
    ['VIN', truck.vin],
  ] as const;
  return (
    <>
      <div class="body" tabindex={0}>
        {photo(scene, truck)}
        <h3>{truck.title}</h3>
        {priceOf(scene, truck)}
        {summary(scene, truck)}
        <dl>
          {facts.map(
            ([name, value]) =>
              value && (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        {url && /^https?:/.test(url) && <a href={url}>{say('page')}</a>}
      </div>
      <footer>
        {contact(scene, 'main')}
        {m.chat && <button onClick={() => act.show('chat')}>{say('ask')}</button>}
      </footer>
    </>
  );
}

/** The truck that the talk is about, and a way to drop it. */
const subject = ({ say, m, act }: Scene) =>
  m.about && (
    <p class="subject">
      {icon('truck')}
      <span>{m.about.title}</span>
      <button type="button" class="icon" aria-label={say('forget')} onClick={act.forget}>
        {icon('close')}
      </button>
    </p>
  );

function chat(scene: Scene) {
  const { say, m, act, data } = scene;
  const hints = m.said.length ? m.hints : [say(m.about ? 'still' : 'first'), say('person')];
  const submit = (event: Event) => {
    event.preventDefault();
    if (m.talking) act.stop();
    else if (!m.talkFault || !m.pause) act.ask(m.draft);
  };
  return (
    <>
      <div class="body" tabindex={0}>
        <div class="log" role="log" aria-live="off" aria-busy={m.talking} aria-label={say('chat')}>
          <p>{data.greeting || say('hello')}</p>
          {m.said.map(({ mine, text, trucks }) => (
            <>
              {text && (
                <p class={mine ? 'mine' : ''}>
                  {mine && <span class="hide">{say('you')} </span>}
                  {text.trim()}
                </p>
              )}
              {trucks[0] && <ul>{trucks.map((each) => card(scene, each))}</ul>}
            </>
          ))}
          {m.talking && !m.said.at(-1)?.text && <p class="dots">…</p>}
        </div>
        {trouble(scene, m.talkFault, act.repeat)}
        {!m.talking && !m.talkFault && (
          <p class="hints">
            {hints.map(
              (hint) =>
                !(m.captured && hint === say('person')) && (
                  <button onClick={() => act.ask(hint)}>{hint}</button>
                ),
            )}
          </p>
        )}
      </div>
      <footer>
        {subject(scene)}
        <form class="compose" onSubmit={submit}>
          <textarea
            class="start"
            rows={1}
            maxlength={2000}
            aria-label={say('message')}
            placeholder={say('message')}
            value={m.draft}
            onInput={({ currentTarget }) => {
              m.draft = currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !m.talking) submit(event);
            }}
          />
          <button
            class="main"
            aria-label={say(m.talking ? 'stop' : 'send')}
            disabled={!!m.talkFault && m.pause > 0}
          >
            {icon(m.talking ? 'stop' : 'send')}
          </button>
        </form>
        <p class="soft">
          {say('note')} {!m.captured && contact(scene, 'link')}
        </p>
      </footer>
    </>
  );
}

function lead(scene: Scene) {
  const { say, m, act, data } = scene;
  const { form, wrong } = m;
  const marks = (name: keyof typeof form) => ({
    name,
    'aria-invalid': name in wrong,
    'aria-describedby': `why-${name}`,
  });
  const why = (name: keyof typeof form) =>
    wrong[name] && (
      <p class="wrong" id={`why-${name}`}>
        {wrong[name]}
      </p>
    );
  const field = (name: 'name' | 'email' | 'phone', type: 'text' | 'email' | 'tel', place = '') => (
    <>
      <label>
        {say(name)}
        <input
          {...marks(name)}
          type={type as 'text'}
          class={place}
          autocomplete={type === 'text' ? 'name' : type}
          maxlength={200}
          value={form[name]}
        />
      </label>
      {why(name)}
    </>
  );
  return (
    <form
      novalidate
      onInput={({ target }) => {
        const { name, value, checked } = target as HTMLInputElement;
        Object.assign(form, { [name]: name === 'consent' ? checked : value });
      }}
      onSubmit={(event) => {
        event.preventDefault();
        act.send();
      }}
    >
      <div class="body" tabindex={0}>
        {subject(scene)}
        {field('name', 'text', 'start')}
        {field('email', 'email')}
        {field('phone', 'tel')}
        <p class="soft">{say('either')}</p>
        <label>
          {say('message')}
          <textarea rows={3} maxlength={2000} value={form.message} {...marks('message')} />
        </label>
        {why('message')}
        <input class="hide" name="company" inert />
        <label class="tick">
          <input type="checkbox" checked={form.consent} {...marks('consent')} />
          <span>
            {data.consent || say('consent')}{' '}
            {data.privacy && (
              <a href={new URL(data.privacy, location.href).href} target="_blank" rel="noopener">
                {say('privacy')}
              </a>
            )}
          </span>
        </label>
        {why('consent')}
        {trouble(scene, m.leadFault, act.send)}
      </div>
      <footer>
        <button class="main" disabled={!!m.leadFault && m.pause > 0} aria-busy={m.sending}>
          {say('send')}
        </button>
      </footer>
    </form>
  );
}

const sent = ({ say, act, m }: Scene) => (
  <div class="body sent">
    {icon('done')}
    <h3 class="start" tabindex={-1}>
      {say('sent')}
    </h3>
    <button onClick={() => act.show(m.trail[0] ?? 'trucks')}>{say('back')}</button>
  </div>
);

export const VIEWS: Record<View, (scene: Scene) => ComponentChildren> = { trucks, truck, chat, lead, sent };
