import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import writing from '../kit/writing.css';
import type { Scene } from '../panel/scene.ts';
import { DONE } from '../subject/done.ts';
import { subject } from '../subject/subject.tsx';
import { completeForm } from './empty-form.ts';
import css from './form.css';
import { chosenFields, type Field, readForms } from './forms.ts';
import { flush, send } from './send.ts';
import { WORDS } from './words.ts';

/** The form and what follows it: a chunk of the panel. */

export { flush, send };

/** The panel hands over what it has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, writing + css);
}

type Say = ReturnType<typeof translate>;
const translate = () => kit.translate(WORDS);

const marks = ({ m }: Scene, name: string) => ({
  name,
  'aria-invalid': name in m.wrong,
  'aria-describedby': `why-${name}`,
});

const why = ({ m }: Scene, name: string) =>
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

/** What the visitor asks for, and what that form asks. */
const intents = (scene: Scene, say: Say) => {
  const { form } = scene.m;
  const known = readForms(scene);
  return (
    known && (
      <>
        <label>
          {say('intent')}
          <select name="intent" value={form.intent}>
            <option value="">{say('general')}</option>
            {known.forms.map(({ intent, name }) => (
              <option value={intent}>{name}</option>
            ))}
          </select>
        </label>
        {chosenFields(scene).map((field) => detail(scene, field, say))}
      </>
    )
  );
};

const detail = (scene: Scene, { name, label, type, required, options }: Field, say: Say) => {
  const id = `details.${name}`;
  const given = {
    ...marks(scene, id),
    id,
    required,
    value: scene.m.form.details[name] ?? '',
  };
  return (
    <div key={id}>
      <label for={id}>
        {label}
        {required && <span class="soft">{` (${say('required')})`}</span>}
      </label>
      {options ? (
        <select {...given}>
          <option value="" />
          {options.map(({ value, label: text }) => (
            <option value={value}>{text}</option>
          ))}
        </select>
      ) : (
        <input
          {...given}
          type={type === 'date' ? 'date' : 'text'}
          inputmode={type === 'number' ? 'numeric' : 'text'}
          maxlength={120}
        />
      )}
      {why(scene, id)}
    </div>
  );
};

/** What sending means needs no box; text messages that advertise have their own. */
const consent = (scene: Scene, say: Say) => {
  const { privacy, consent: own } = scene.data;
  const offers = readForms(scene)?.marketing.text;
  return (
    <>
      {offers && scene.m.form.phone && (
        <label class="tick">
          <input type="checkbox" name="marketing" checked={scene.m.form.marketing} />
          <span>{offers}</span>
        </label>
      )}
      <p class="soft">
        {own || say('consent')}{' '}
        {privacy && (
          <a href={new URL(privacy, location.href).href} target="_blank" rel="noopener">
            {say('privacy')}
          </a>
        )}
      </p>
    </>
  );
};

function take(scene: Scene, { name, value, checked }: HTMLInputElement): void {
  const { form } = scene.m;
  const [, detail] = name.split('details.');
  if (detail) form.details[detail] = value;
  else Object.assign(form, { [name]: name === 'marketing' ? checked : value });
  if (name === 'intent' || name === 'phone') scene.draw();
}

export function lead(scene: Scene) {
  const { m } = scene;
  completeForm(scene);
  const say = translate();
  return (
    <form
      novalidate
      onInput={({ target }) => take(scene, target as HTMLInputElement)}
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
        {intents(scene, say)}
        <label>
          {say('message')}
          <textarea rows={3} maxlength={2000} value={m.form.message} {...marks(scene, 'message')} />
        </label>
        {why(scene, 'message')}
        <input class="hide" name="company" inert />
        {consent(scene, say)}
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
      {m.kept ? <i class="truck" /> : kit.draw(DONE)}
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
