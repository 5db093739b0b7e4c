import type { Card } from '../../lib/search/widget/widget.ts';
import type { Fault } from './requests.ts';

export type View = 'trucks' | 'truck' | 'chat' | 'lead' | 'receipt';

/** A truck that an enquiry is about; one that the service does not list has its VIN as its title. */
export type Subject = Pick<Card, 'vin' | 'title'>;

export interface Message {
  isFromVisitor: boolean;
  text: string;
  /** When it was said; older conversations do not know. */
  at?: number;
  trucks: Card[];
}

/** The form's file fills in what is missing. `company` is the trap for robots; `marketing`: the box for text messages that advertise is ticked. */
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
  /** Id of the refused enquiry that is being corrected. */
  corrects?: string | undefined;
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
export interface TruckList {
  vehicles: Card[];
  count: { value: number; exact: boolean };
  nextCursor: string | null;
  facets?: Facets;
  understood?: Model['understood'];
  closest?: Card[];
  dealer: Dealer;
  chat: boolean;
  visit?: string;
}

/** What a reload, or the next page of the site, brings back. */
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
  /** The last one is shown; Back leads to the one before. */
  trail: View[];
  draft: string;
  q: string;
  sort: string;
  /** Parameters that the visitor narrowed it by. */
  narrowed: Record<string, string>;
  /** What to narrow the search by; none: the trucks are few. */
  facets?: Facets | null | undefined;
  /** The truck that is looked at. */
  truck?: Card | null | undefined;
  /** The truck that the conversation is about: the one looked at last. */
  about?: Subject | null | undefined;
  /** The page's VIN that the panel was opened on last. */
  landed?: string | undefined;
  /** How far the view was scrolled when the page was left. */
  scrollPx?: number | undefined;
}

/** Everything that is shown. Whoever changes it calls `draw`. */
export interface Model extends Conversation {
  /** Whether the service can chat; undefined: not known yet. */
  chat?: boolean;
  visit?: string | undefined;

  /** Undefined: not loaded yet. */
  trucks?: Card[] | null;
  count: { value: number; exact: boolean };
  /** What the words were read as. */
  understood?: { readings: string[]; dropped: string[]; without?: string[] } | null;
  /** When nothing matches. */
  closest?: Card[];
  next?: string | null;
  finding?: boolean;
  /** Number of the newest search, so that a late answer replaces nothing. */
  searchNo: number;
  findFault?: Fault | null;

  /** The VIN that the page named last; undefined: not read yet. */
  pageVin?: string | undefined;
  pageTruck?: Card | null;

  talking?: boolean;
  chatFault?: Fault | null;
  /** What screen readers announce, once. */
  news: string;

  /** What to correct, by the name of the field; those of the chosen form are `details.<name>`. */
  wrong: Record<string, string>;
  sending?: boolean;
  leadFault?: Fault | null;
  /** The last enquiry is kept until the service answers: in the browser, or without storage only on this page. */
  kept?: 'browser' | 'page' | undefined;
  /** VINs of enquiries that wait to be sent. */
  unsent?: string[];
  /** There is an enquiry that the service refused. */
  hasRefusals?: boolean;
  /** Seconds until a refused request may be repeated. */
  pause: number;
  /** A part of the panel could not be loaded. */
  loadFault?: Fault | null;
}

export const emptyModel = (saved: Partial<Conversation> | null): Model => ({
  messages: [],
  hints: [],
  captured: false,
  enquired: [],
  dealer: null,
  trail: [saved?.messages?.[0] ? 'chat' : 'trucks'],
  draft: '',
  q: '',
  sort: 'newest',
  narrowed: {},
  ...saved,
  form: { ...saved?.form } as Form,
  count: { value: 0, exact: true },
  news: '',
  searchNo: 0,
  wrong: {},
  pause: 0,
});
