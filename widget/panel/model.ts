import type { Card } from '../../lib/contract/widget/widget.ts';
import type { Fault } from './service.ts';

export type View = 'trucks' | 'truck' | 'chat' | 'lead' | 'sent';

export interface Said {
  mine: boolean;
  text: string;
  trucks: Card[];
}

/** What a reload brings back. */
export interface Conversation {
  id?: string;
  said: Said[];
  hints: string[];
  /** The visitor's details are with the dealer. */
  captured: boolean;
}

/** Everything that is shown. Whoever changes it calls `draw`. */
export interface Model extends Conversation {
  /** The last one is shown; Back leads to the one before. */
  trail: View[];
  dealer: { name: string; phone: string | null } | null;
  /** Whether there is somebody to talk to; null: not known yet. */
  chat: boolean | null;
  visit: string | undefined;

  q: string;
  sort: string;
  /** null: not asked yet. */
  trucks: Card[] | null;
  count: { value: number; exact: boolean };
  next: string | null;
  finding: boolean;
  findFault: Fault | null;

  /** The truck that is looked at. */
  truck: Card | null;
  /** The truck that the conversation is about: the one looked at last. */
  about: Card | null;

  draft: string;
  talking: boolean;
  talkFault: Fault | null;
  /** What screen readers are told, once. */
  news: string;

  /** `company` is the trap for robots. */
  form: { name: string; email: string; phone: string; message: string; company: string; consent: boolean };
  wrong: Partial<Record<keyof Model['form'], string>>;
  sending: boolean;
  leadFault: Fault | null;
  /** Seconds until a refused request may be repeated. */
  pause: number;
}

export const emptyModel = (kept: Partial<Conversation> | null): Model => ({
  said: [],
  hints: [],
  captured: false,
  ...kept,
  trail: [kept?.said?.length ? 'chat' : 'trucks'],
  dealer: null,
  chat: null,
  visit: undefined,
  q: '',
  sort: 'newest',
  trucks: null,
  count: { value: 0, exact: true },
  next: null,
  finding: false,
  findFault: null,
  truck: null,
  about: null,
  draft: '',
  talking: false,
  talkFault: null,
  news: '',
  form: { name: '', email: '', phone: '', message: '', company: '', consent: false },
  wrong: {},
  sending: false,
  leadFault: null,
  pause: 0,
});
