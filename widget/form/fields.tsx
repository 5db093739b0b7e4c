import type { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { chosenFields, type Field, readForms } from './forms.ts';
import type { WORDS } from './words.ts';

/** The fields that the visitor fills in. */

export type Say = ReturnType<typeof kit.translate<typeof WORDS>>;

export const marks = ({ m }: PanelContext, name: string) => ({
  name,
  'aria-invalid': name in m.wrong,
  'aria-describedby': `why-${name}`,
});

export const explainFault = ({ m }: PanelContext, name: string) =>
  m.wrong[name] && (
    <p class="wrong" id={`why-${name}`}>
      {m.wrong[name]}
    </p>
  );

const FIELDS = [
  ['name', 'text', 'start', 120],
  ['email', 'email', '', 254],
  ['phone', 'tel', '', 40],
] as const;

export const fields = (panel: PanelContext, say: Say) =>
  FIELDS.map(([name, type, place, max]) => (
    <div key={name}>
      <label>
        {say(name)}
        <input
          {...marks(panel, name)}
          type={type as 'text'}
          class={place}
          autocomplete={type === 'text' ? 'name' : type}
          maxlength={max}
          value={panel.m.form[name]}
        />
      </label>
      {explainFault(panel, name)}
    </div>
  ));

/** What the visitor asks for, and what that form asks. */
export const intents = (panel: PanelContext, say: Say) => {
  const { form } = panel.m;
  const formList = readForms(panel);
  return (
    formList && (
      <>
        <label>
          {say('intent')}
          <select name="intent" value={form.intent}>
            <option value="">{say('general')}</option>
            {formList.forms.map(({ intent, name }) => (
              <option value={intent}>{name}</option>
            ))}
          </select>
        </label>
        {chosenFields(panel).map((field) => detail(panel, field, say))}
      </>
    )
  );
};

const detail = (panel: PanelContext, { name, label, type, required, options }: Field, say: Say) => {
  const id = `details.${name}`;
  const attributes = { ...marks(panel, id), id, required, value: panel.m.form.details[name] ?? '' };
  return (
    <div key={id}>
      <label for={id}>
        {label}
        {required && <span class="soft">{` (${say('required')})`}</span>}
      </label>
      {options ? (
        <select {...attributes}>
          <option value="" />
          {options.map(({ value, label: text }) => (
            <option value={value}>{text}</option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          type={type === 'date' ? 'date' : 'text'}
          inputmode={type === 'number' ? 'numeric' : 'text'}
          maxlength={120}
        />
      )}
      {explainFault(panel, id)}
    </div>
  );
};
