import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import writing from '../kit/writing.css';
import type { PanelContext } from '../panel/panel-context.ts';
import { DONE } from '../subject/done.ts';
import { subject } from '../subject/subject.tsx';
import { takeUpRefused } from './correct.ts';
import { completeForm } from './empty-form.ts';
import { explainFault, fields, intents, marks, type Say } from './fields.tsx';
import css from './form.css';
import { readForms } from './forms.ts';
import { flush, readConsent, send } from './send.ts';
import { WORDS } from './words.ts';

/** The form and what follows it: a chunk of the panel. */

export { flush, send };

/** Takes what the panel has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, writing + css);
}

const translate = () => kit.translate(WORDS);

/** A tag may be made of what others write; a relative address is the page's. */
const isWebAddress = (href: string) =>
  /^https?:$/.test(Object.assign(document.createElement('a'), { href }).protocol);

/** What sending means needs no box; text messages that advertise have their own. */
const consent = (panel: PanelContext, say: Say) => {
  const { privacy } = panel.data;
  const offers = readForms(panel)?.marketing.text;
  return (
    <>
      {offers && panel.m.form.phone && (
        <label class="tick">
          <input type="checkbox" name="marketing" checked={panel.m.form.marketing} />
          <span>{offers}</span>
        </label>
      )}
      <p class="soft">
        {readConsent(panel)}{' '}
        {privacy && isWebAddress(privacy) && (
          <a href={privacy} target="_blank" rel="noopener">
            {say('privacy')}
          </a>
        )}
      </p>
    </>
  );
};

function take(panel: PanelContext, { name, value, checked }: HTMLInputElement): void {
  const { form } = panel.m;
  const [, detail] = name.split('details.');
  if (detail) form.details[detail] = value;
  else Object.assign(form, { [name]: name === 'marketing' ? checked : value });
  if (name === 'intent' || name === 'phone') panel.draw();
}

export function lead(panel: PanelContext) {
  const { m } = panel;
  completeForm(panel);
  const say = translate();
  return (
    <form
      novalidate
      onInput={({ target }) => take(panel, target as HTMLInputElement)}
      onChange={() => kit.keep(panel)}
      onSubmit={(event) => {
        event.preventDefault();
        send(panel);
      }}
    >
      <div class="body" tabindex={0}>
        {subject(panel)}
        {fields(panel, say)}
        <p class="soft">{say('either')}</p>
        {intents(panel, say)}
        <label>
          {say('message')}
          <textarea rows={3} maxlength={2000} value={m.form.message} {...marks(panel, 'message')} />
        </label>
        {explainFault(panel, 'message')}
        <input class="hide" name="company" inert />
        {consent(panel, say)}
        {kit.trouble(panel, m.leadFault, () => send(panel))}
      </div>
      <footer>
        <button class="main" aria-busy={m.sending}>
          {say(m.sending ? 'sending' : 'send')}
        </button>
      </footer>
    </form>
  );
}

function correct(panel: PanelContext): void {
  takeUpRefused(panel);
  kit.show(panel, 'lead');
}

export function receipt(panel: PanelContext) {
  const { m } = panel;
  const say = translate();
  const { phone, opening, reply } = m.dealer ?? {};
  const isThere = [opening?.text, reply].filter(Boolean).join(', ');
  return (
    <div class="body sent" role="status">
      {m.kept ? <i class="truck" /> : kit.draw(DONE)}
      <h3 class="start" tabindex={-1}>
        {say(m.kept === 'page' ? 'held' : m.kept ? 'kept' : 'sent')}
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
      {m.hasRefusals && <button onClick={() => correct(panel)}>{say('correct')}</button>}
      <button onClick={() => kit.show(panel, m.trail[0] ?? 'trucks')}>{panel.say('back')}</button>
    </div>
  );
}
