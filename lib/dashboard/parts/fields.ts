import { html } from 'hono/html';
import * as z from 'zod/mini';
import type { Html, PageCall } from '../../http/pages/page.ts';
import { checkboxes, type FieldType, field } from './form.ts';
import { wordsFor } from './labels.ts';

/** A form that stands on a schema of its concern, which also reads what it sends (`toFormValues`). */
interface FormOf {
  schema: z.ZodMiniObject;
  /** The values as stored. Those of passwords and private keys are never shown. */
  stored?: Readonly<Record<string, unknown>>;
}

/** These fields of the form, each with its words and what its schema says; a list of names stands in one row. */
export function fields(
  call: Pick<PageCall, 'formValues' | 'problem' | 'formLists'>,
  { schema, stored = {} }: FormOf,
  rows: readonly (string | readonly string[])[],
): Html {
  const showField = (name: string) => {
    const member = describeMember(schema.shape[name]);
    const { choices, type = member.type, ...words } = wordsFor(name);
    const isSecret = type === 'password';
    const { values, isList, isRequired, maxLength } = member;
    const list = toChoices(values, choices);
    if (isList && values.length > 0)
      return checkboxes({ ...words, name, chosen: call.formLists[name] ?? [], choices: list });
    return field(isSecret ? { ...call, formValues: {} } : call, {
      ...words,
      name,
      type,
      value: isSecret ? '' : String(stored[name] ?? ''),
      isRequired,
      maxLength,
      ...(values.length > 0 ? { choices: list } : {}),
    });
  };
  return html`${rows.map((row) => (typeof row === 'string' ? showField(row) : html`<div class="row">${row.map(showField)}</div>`))}`;
}

const TYPES: Readonly<Record<string, FieldType>> = {
  number: 'number',
  email: 'email',
  url: 'url',
  date: 'date',
};

/** What is used of a schema's definition. */
interface Definition {
  type: string;
  format?: string;
  entries?: Record<string, string>;
  checks?: readonly { _zod: { def: { check: string; maximum?: number } } }[];
  innerType?: z.core.$ZodType;
  /** Of a conversion. */
  in?: z.core.$ZodType;
  /** Of a list. */
  element?: z.core.$ZodType;
}

/** What a browser may know of a member before it is sent. */
function describeMember(member: z.core.$ZodType = z.string()) {
  const { type, format = '', entries = {}, checks = [], element } = innermost(member);
  const longest = checks.map(({ _zod }) => _zod.def).find(({ check }) => check === 'max_length');
  return {
    type: TYPES[format] ?? TYPES[type] ?? 'text',
    isRequired: member._zod.optin !== 'optional',
    maxLength: longest?.maximum ?? 0,
    isList: element !== undefined,
    values: Object.values(element ? (innermost(element).entries ?? {}) : entries),
  };
}

/** Behind what makes it optional, null or another value. */
function innermost(schema: z.core.$ZodType): Definition {
  const def: Definition = schema._zod.def;
  const inner = def.innerType ?? def.in;
  return inner ? innermost(inner) : def;
}

/** In the order of the labels, those without one after them. */
const toChoices = (values: readonly string[], labels: Readonly<Record<string, string>> = {}) =>
  [...new Set([...Object.keys(labels), ...values])].map((value) => [value, labels[value] ?? value] as const);
