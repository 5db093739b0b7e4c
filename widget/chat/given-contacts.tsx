import { kit } from '../kit/lent.ts';
import type { Form } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import type { WORDS } from './words.ts';

/** An address or number that the visitor wrote into the chat, where nobody at the dealer's reads it. */

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]*\w/;
const PHONE = /(?<!\w)\+?\(?\d[\d\s().-]{8,18}\d(?!\w)/;

function findContacts(text: string): Partial<Form> | null {
  const [email] = EMAIL.exec(text) ?? [];
  const [phone = ''] = PHONE.exec(text) ?? [];
  const isPhone = phone.replace(/\D/g, '').length >= 10;
  return email || isPhone ? { ...(email && { email }), ...(isPhone && { phone }) } : null;
}

/** Offers the form with the contacts that the visitor wrote, until the dealer has them. */
export function offerForm(panel: PanelContext, say: (word: keyof typeof WORDS) => string) {
  const { m } = panel;
  const { text = '' } = m.messages.findLast((each) => each.isFromVisitor && findContacts(each.text)) ?? {};
  const contacts = findContacts(text);
  const isNew = Object.entries(contacts ?? {}).some(([name, value]) => m.form[name as 'email'] !== value);
  if (!contacts || (m.captured && !isNew)) return null;
  const leave = () => {
    Object.assign(m.form, contacts);
    m.form.message ||= text;
    kit.show(panel, 'lead');
  };
  return (
    <button class="main" onClick={leave}>
      {say('leave')}
    </button>
  );
}
