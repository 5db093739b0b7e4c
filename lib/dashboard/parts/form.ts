import { html } from 'hono/html';
import type { Html, PageCall, Problem } from '../../http/pages/page.ts';
import { signInAgain } from '../access.ts';

/** Fields of forms: each with its label, and with what was wrong about it. */

/** What was typed into a form that was refused, and why. */
type Refused = Pick<PageCall, 'formValues' | 'problem'>;

export type FieldType = 'text' | 'email' | 'password' | 'tel' | 'url' | 'number' | 'search' | 'date';

interface FieldOptions {
  name: string;
  label: string;
  /** As stored; what was just sent goes before it. */
  value?: string | null;
  hint?: Html | string;
  type?: FieldType;
  isRequired?: boolean;
  maxLength?: number;
  autocomplete?: string;
  placeholder?: string;
  /** Lines of a text area. */
  rows?: number;
  /** One of these is chosen. */
  choices?: readonly Choice[];
}

type Choice = readonly [value: string, label: string];

/** The label, the hint and the control, which gets its value and what describes it. */
export function field({ formValues, problem }: Refused, options: FieldOptions): Html {
  const { name, label, hint, value } = options;
  const isWrong = problem !== null && hasProblem(problem, name);
  const ids = [...(hint ? [`${name}-hint`] : []), ...(isWrong ? ['problem'] : [])].join(' ');
  const attributes = html`id="${name}" name="${name}"${attribute('aria-describedby', ids)}${isWrong && html` aria-invalid="true"`}`;
  return html`<div class="field"><label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${control(attributes, formValues[name] ?? value ?? '', options)}</div>`;
}

function control(attributes: Html, value: string, options: FieldOptions): Html {
  const { type = 'text', isRequired, maxLength, autocomplete, placeholder, rows, choices } = options;
  if (choices)
    return html`<select ${attributes}>
${choices.map(([choice, label]) => html`<option value="${choice}"${choice === value && html` selected`}>${label}</option>`)}
</select>`;
  if (rows)
    return html`<textarea ${attributes} rows="${rows}"${attribute('placeholder', placeholder)}>
${value}</textarea>`;
  return html`<input ${attributes} type="${type}" value="${value}"
${isRequired && html` required`}${attribute('maxlength', maxLength)}${attribute('autocomplete', autocomplete)}${attribute('placeholder', placeholder)}>`;
}

/** Any of several. */
export function checkboxes({
  name,
  label,
  hint,
  chosen,
  choices,
}: Pick<FieldOptions, 'name' | 'label' | 'hint'> & {
  chosen: readonly string[];
  choices: readonly Choice[];
}): Html {
  return html`<fieldset class="field"><legend>${label}</legend>${hint && html`<p class="hint">${hint}</p>`}
${choices.map(([value, text]) => html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}><span>${text}</span></label>`)}</fieldset>`;
}

interface ButtonOptions {
  look?: 'primary' | 'plain' | 'danger' | 'link';
  /** The question that the script asks first. */
  confirm?: string;
}

/** A button that runs one of the page's actions. */
export function button(action: string, label: string, options: ButtonOptions = {}): Html {
  const { look = 'plain', confirm } = options;
  return html`<button class="${look}" name="action" value="${action}"${attribute('data-confirm', confirm)}>${label}</button>`;
}

/** A form with its button. If the action needs a new sign-in, a link to it: nothing is typed in vain. */
export const actionForm = (
  call: PageCall<unknown, unknown>,
  fields: Html,
  action: string,
  label: string,
  options: ButtonOptions = { look: 'primary' },
): Html =>
  call.needsSignIn(action)
    ? html`<div class="card"><p>Your last sign-in is more than 15 minutes ago.</p><a class="button" href="${signInAgain(call.address)}">Confirm that it is you</a></div>`
    : html`<form method="post" class="card">${fields}
${button(action, label, options)}</form>`;

/** A form of one button, with what it needs to know. */
export function buttonForm(
  action: string,
  label: string,
  values: Readonly<Record<string, string>> = {},
  options?: ButtonOptions,
): Html {
  return html`<form method="post" class="inline">${hiddenFields(values)}${button(action, label, options)}</form>`;
}

export const hiddenFields = (values: Readonly<Record<string, string | undefined>>): Html =>
  html`${Object.entries(values).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}`;

const attribute = (name: string, value: string | number | undefined) =>
  value ? html` ${name}="${value}"` : '';

/** A part of a value, such as a day of the opening hours, is the field's. */
const hasProblem = ({ field, issues }: Problem, name: string): boolean =>
  [field, ...issues.map((issue) => issue.field)].some(
    (fieldName) => fieldName === name || fieldName?.startsWith(`${name}.`),
  );
