import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import type { Form } from '../panel/model.ts';
import type { Scene } from '../panel/scene.ts';
import { subject } from '../subject/subject.tsx';
import css from './form.css';
import { flush, send } from './send.ts';
import { WORDS } from './words.ts';

/** The form and what follows it: a chunk of the panel. */

export { flush, send };

/** The panel hands over what it has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

type Say = ReturnType<typeof translate>;
const translate = () => kit.translate(WORDS);

const marks = ({ m }: Scene, name: keyof Form) => ({
  name,
  'aria-invalid': name in m.wrong,
  'aria-describedby': `why-${name}`,
});

const why = ({ m }: Scene, name: keyof Form) =>
  m.wrong[name] && (
    <p class="wrong" id={`why-${name}`}>
      {m.wrong[name]}
    </p>
  );

const FIELDS = [
  ['name', 'text', 'start'],
  ['email', 'email', ''],
  ['phone', 'tel', ''],
] as const;

const fields = (scene: Scene, say: Say) =>
  FIELDS.map(([name, type, place]) => (
    <div key={name}>
      <label>
        {say(name)}
        <input
          {...marks(scene, name)}
          type={type as 'text'}
          class={place}
          autocomplete={type === 'text' ? 'name' : type}
          maxlength={200}
          value={scene.m.form[name]}
        />
      </label>
      {why(scene, name)}
    </div>
  ));

const consent = (scene: Scene, say: Say) => (
  <label class="tick">
    <input type="checkbox" checked={scene.m.form.consent} {...marks(scene, 'consent')} />
    <span>
      {scene.data.consent || say('consent')}{' '}
      {scene.data.privacy && (
        <a href={new URL(scene.data.privacy, location.href).href} target="_blank" rel="noopener">
          {say('privacy')}
        </a>
      )}
    </span>
  </label>
);

export function lead(scene: Scene) {
  const { m } = scene;
  const { form } = m;
  const say = translate();
  return (
    <form
      novalidate
      onInput={({ target }) => {
        const { name, value, checked } = target as HTMLInputElement;
        Object.assign(form, { [name]: name === 'consent' ? checked : value });
      }}
      onChange={() => kit.keep(scene)}
      onSubmit={(event) => {
        event.preventDefault();
        send(scene);
      }}
    >
      <div class="body" tabindex={0}>
        {subject(scene)}
        {fields(scene, say)}
        <p class="soft">{say('either')}</p>
        <label>
          {say('message')}
          <textarea rows={3} maxlength={2000} value={form.message} {...marks(scene, 'message')} />
        </label>
        {why(scene, 'message')}
        <input class="hide" name="company" inert />
        {consent(scene, say)}
        {why(scene, 'consent')}
        {kit.trouble(scene, m.leadFault, () => send(scene))}
      </div>
      <footer>
        <button class="main" aria-busy={m.sending}>
          {say(m.sending ? 'sending' : 'send')}
        </button>
      </footer>
    </form>
  );
}

export function sent(scene: Scene) {
  const { m } = scene;
  const say = translate();
  const { phone, opening, reply } = m.dealer ?? {};
  const isThere = [opening?.text, reply].filter(Boolean).join(', ');
  return (
    <div class="body sent" role="status">
      {m.kept ? <i class="truck" /> : kit.icon('done')}
      <h3 class="start" tabindex={-1}>
        {say(m.kept ? 'kept' : 'sent')}
      </h3>
      {isThere && <p>{isThere}</p>}
      {phone && (
        <>
          <p class="soft">{say('hurry')}</p>
          <a class="button" href={`tel:${kit.toDialed(phone)}`}>
            {say('reach', phone)}
          </a>
        </>
      )}
      <button onClick={() => kit.show(scene, m.trail[0] ?? 'trucks')}>{scene.say('back')}</button>
    </div>
  );
}
