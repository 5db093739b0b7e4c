import type { Session } from '../../accounts/people/port.ts';
import { type Form, toForm } from './form.ts';
import type { Cookies } from './page.ts';

/** A form that needs a fresh sign-in waits in the browser until its person is back on its page. */

/** Browsers keep cookies of 4 kB. */
const MAX_CHARACTERS = 3_500;

interface Draft {
  path: string;
  person: string;
  fields: [string, string][];
}

/** Files are not kept, nor what is too long. */
export function keepDraft(cookies: Cookies, { person }: Session, path: string, form: Form): void {
  const fields = [...form].flatMap(([name, values]) =>
    name === 'action'
      ? []
      : values.flatMap((value): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const draft: Draft = { path, person: person?.id ?? 'operator', fields };
  const text = Buffer.from(JSON.stringify(draft)).toString('base64url');
  if (text.length <= MAX_CHARACTERS) cookies.set('draft', text);
}

/** The form that this person began on this page; it is forgotten by then. */
export function takeDraft(cookies: Cookies, { person }: Session, path: string): Form | null {
  const text = cookies.get('draft');
  if (!text) return null;
  const draft = readDraft(text);
  if (draft?.path !== path || draft.person !== (person?.id ?? 'operator')) return null;
  cookies.set('draft', null);
  return toForm(draft.fields);
}

/** Whatever a browser sends as a cookie. */
function readDraft(text: string): Draft | null {
  try {
    const { path, person, fields } = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof path !== 'string' || typeof person !== 'string' || !Array.isArray(fields)) return null;
    return fields.every(isField) ? { path, person, fields } : null;
  } catch {
    return null;
  }
}

const isField = (field: unknown): field is [string, string] =>
  Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === 'string');
