import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import writing from '../kit/writing.css';
import type { Scene } from '../panel/scene.ts';
import { DONE } from '../subject/done.ts';
import { subject } from '../subject/subject.tsx';
import { completeForm } from './empty-form.ts';
import { fields, intents, marks, type Say, why } from './fields.tsx';
import css from './form.css';
import { readForms } from './forms.ts';
import { flush, send } from './send.ts';
import { WORDS } from './words.ts';

/** The form and what follows it: a chunk of the panel. */

export { flush, send };

/** The panel hands over what it has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, writing + css);
}

const translate = () => kit.translate(WORDS);

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
