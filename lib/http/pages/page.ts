import type { html } from 'hono/html';
import type * as z from 'zod/mini';
import type { Role } from '../../accounts/access.ts';
import type { Session } from '../../accounts/people/sessions.ts';
import type { Context } from '../context.ts';
import type { Output, Schema } from '../endpoint.ts';

/** A page of the dashboard: an endpoint whose answer is a document. */

/** What `hono/html` makes: text in which everything put in was escaped. */
export type Html = ReturnType<typeof html>;

/** One line of the list of pages: what is known of a page before its module is loaded. */
export interface PageEntry {
  /** Only changes something: not for an operator who looks at an account. */
  isOnlyForm?: true;
  /** All that owners see while their account waits to be erased. */
  isForErasure?: true;
  /** With {placeholders}. */
  path: string;
  /** Who may see it; an owner sees what a member sees. The operator sees them all, and changes nothing of a seller's. */
  role: 'anyone' | Role | 'operator';
  /** Its name in the navigation; pages without one are reached from others. */
  label?: string;
  load(): Promise<{ default: Page }>;
}

/** A document. */
export interface View {
  title: string;
  main: Html;
  /** Default 200. */
  status?: number;
  /** Something on the page is under way: it is asked for again after so many seconds. */
  refreshSeconds?: number;
}

/** A file to save. */
export interface Download {
  filename: string;
  type: string;
  body: string | Uint8Array | AsyncIterable<string>;
}

/** Where to go on; `done` names one of that page's notices. */
export interface Redirect {
  to: string;
  done?: string;
}

export type Reply = View | Download | Redirect;

/** What was wrong with the form that was just sent. */
export interface Problem {
  message: string;
  /** What to do about it; '' when the message says it. */
  fix: string;
  field: string | null;
  /** Each field that is wrong, where there are several. */
  issues: readonly { field: string; message: string }[];
}

/** The cookies of signing in. */
export interface Cookies {
  get(name: CookieName): string | undefined;
  /** Without a value: takes it away. */
  set(name: CookieName, value: string | null): void;
}

/**
 * `session`: the token of a browser that is signed in. `browser`: of one that asked for a code.  `known`: says that the
 * browser signed in before.
 */
export type CookieName = 'session' | 'browser' | 'known';

/** What a page gets. */
export interface PageCall<Params = undefined, Query = undefined> {
  /** As every service works in it: its account is the session's. */
  ctx: Context;
  /** Of pages for anyone it may be nobody's: without person and account. */
  session: Session;
  params: Params;
  query: Query;
  /** The page's path, to come back to. */
  address: string;
  /** Whether an action needs a new sign-in. */
  needsSignIn(action: string): boolean;
  cookies: Cookies;
  /** Why the form was refused. */
  problem: Problem | null;
  /** What the form sent, which the page that answers shows again. */
  formValues: Readonly<Record<string, string>>;
  /** All values that were sent under a name. */
  formLists: Readonly<Record<string, readonly string[]>>;
}

interface Action<P, Q, F extends Schema> {
  /** Its fields by name. */
  form: F;
  /** Needs a sign-in of the last 15 minutes. */
  sensitive?: true;
  run(call: PageCall<P, Q> & { form: z.output<F> }): Promise<Reply>;
}

interface PageOptions<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  F extends Readonly<Record<string, Schema>>,
> {
  params?: P;
  query?: Q;
  /** Sentences for `?done=…`. */
  notices?: Readonly<Record<string, string>>;
  /** Most bytes of a form, by default 64 KiB. */
  maxBytes?: number;
  show(call: PageCall<Output<P>, Output<Q>>): Promise<Reply>;
  /** By the name that the pressed button sends as `action`. */
  actions?: { [Name in keyof F]: Action<Output<P>, Output<Q>, F[Name]> };
}

/** A page whose input types no longer matter to the caller. */
export type Page = PageOptions<Schema, Schema, Readonly<Record<string, Schema>>>;

/** Declares a page; input types flow from the schemas into `show` and the actions. */
export const page = <
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  F extends Readonly<Record<string, Schema>> = Readonly<Record<never, Schema>>,
>(
  options: PageOptions<P, Q, F>,
): Page => options as Page;
