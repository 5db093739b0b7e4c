import type { Card } from '../../lib/contract/widget/widget.ts';
import type { Fault } from './requests.ts';

export type View = 'trucks' | 'truck' | 'chat' | 'lead' | 'sent';

export interface Message {
  mine: boolean;
  text: string;
  trucks: Card[];
}

/** `company` is the trap for robots; `marketing`: the box for text messages that advertise is ticked. */
export interface Form {
  name: string;
  email: string;
  phone: string;
  message: string;
  company: string;
  marketing: boolean;
  /** What the visitor asks for; '': nothing in particular. */
  intent: string;
  details: Record<string, string>;
}

export type Facets = Readonly<Record<string, { value: string; name: string; count: number }[]>>;

/** How the dealer is reached. */
export interface Dealer {
  name: string;
  phone: string | null;
  sms?: string | null;
  opening?: { isOpen: boolean; text: string } | null;
  reply?: string | null;
}

/** The service's answer to a search. */
export interface Page {
  vehicles: Card[];
  count: { value: number; exact: boolean };
  nextCursor: string | null;
  facets?: Facets;
  understood?: Model['understood'];
  closest?: Card[];
  dealer?: Dealer;
  chat?: boolean;
  visit?: string;
}

/** What a reload brings back. */
export interface Conversation {
  id?: string | undefined;
  messages: Message[];
  hints: string[];
  /** The visitor's details are with the dealer, or wait to be sent. */
  captured: boolean;
  /** VINs that an enquiry was about. */
  enquired: string[];
  form: Form;
  dealer: Dealer | null;
}

/** Everything that is shown. Whoever changes it calls `draw`. */
export interface Model extends Conversation {
  /** The last one is shown; Back leads to the one before. */
  trail: View[];
  /** Whether the service can chat; null: not known yet. */
  chat: boolean | null;
  visit: string | undefined;

  q: string;
  sort: string;
  /** null: not loaded yet. */
  trucks: Card[] | null;
  count: { value: number; exact: boolean };
  /** What to narrow the search by; null: the trucks are few. */
  facets: Facets | null;
  /** Parameters that the visitor narrowed it by. */
  narrowed: Record<string, string>;
  /** What the words were read as. */
  understood: { readings: string[]; dropped: string[] } | null;
  /** When nothing matches. */
  closest: Card[];
  next: string | null;
  finding: boolean;
  findFault: Fault | null;

  /** The VIN that the page named last; undefined: not read yet. */
  pageVin: string | undefined;
  pageTruck: Card | null;
  /** The truck that is looked at. */
  truck: Card | null;
  /** The truck that the conversation is about: the one looked at last. */
  about: Card | null;

  draft: string;
  talking: boolean;
  chatFault: Fault | null;
  /** What screen readers announce, once. */
  news: string;

  /** What to correct, by the name of the field; those of the chosen form are `details.<name>`. */
  wrong: Record<string, string>;
  sending: boolean;
  leadFault: Fault | null;
  /** The last enquiry is kept in the browser until the service answers. */
  kept: boolean;
  /** Seconds until a refused request may be repeated. */
  pause: number;
  /** A part of the panel could not be loaded. */
  loadFault: Fault | null;
}

const EMPTY_FORM: Form = {
  ...{ name: '', email: '', phone: '', message: '', company: '' },
  ...{ marketing: false, intent: '', details: {} },
};

export const emptyModel = (kept: Partial<Conversation> | null): Model => ({
  messages: [],
  hints: [],
  captured: false,
  enquired: [],
  dealer: null,
  ...kept,
  form: { ...EMPTY_FORM, details: {}, ...kept?.form },
  trail: [kept?.messages?.length ? 'chat' : 'trucks'],
  chat: null,
  visit: undefined,
  q: '',
  sort: 'newest',
  trucks: null,
  count: { value: 0, exact: true },
  facets: null,
  narrowed: {},
  understood: null,
  closest: [],
  next: null,
  finding: false,
  findFault: null,
  pageVin: undefined,
  pageTruck: null,
  truck: null,
  about: null,
  draft: '',
  talking: false,
  chatFault: null,
  news: '',
  wrong: {},
  sending: false,
  leadFault: null,
  kept: false,
  pause: 0,
  loadFault: null,
});
