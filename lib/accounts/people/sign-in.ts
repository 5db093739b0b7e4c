import type { Context } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { isSame } from '../../outside/secrets/signed-token.ts';
import type { Ports } from '../../ports.ts';
import { recordAct } from '../audited.ts';
import { mailNotice } from '../notices.ts';
import { mailLines } from './mail-lines.ts';
import {
  closeSession,
  type Entrant,
  findEntrants,
  findLink,
  insertCode,
  type NewSession,
  openByCode,
  openByLink,
  openForOperator,
  tryCode,
} from './sign-in-queries.ts';
import {
  hashToken,
  isKnownBrowser,
  isOperatorToken,
  newOperatorToken,
  newToken,
  toKnownBrowser,
} from './tokens.ts';

/**
 * Codes that one network asks for a mailbox, whatever the spellings of its address; the same count for those that nobody
 * has. Browsers that signed in to it before have as many of their own, so that strangers keep nobody out.
 */
const CODES: Quota = { name: 'sign-in-codes', limit: 5, windowSeconds: 3_600 };
/** Codes that a mailbox is sent to browsers that never signed in to it, whatever their networks. */
const MAILBOX_CODES: Quota = { name: 'sign-in-mailbox', limit: 30, windowSeconds: 3_600 };
/** Codes that one caller asks for, whatever the addresses. */
const ASKED_CODES: Quota = { name: 'sign-in-askers', limit: 30, windowSeconds: 3_600 };
/** Guesses at ADMIN_TOKEN. */
const TOKEN_GUESSES: Quota = { name: 'operator-guesses', limit: 20, windowSeconds: 3_600 };

/**
 * Sends a code to the address if it is a person's, and returns the token that binds the code to the browser that asks.
 * Callers cannot tell from the answer, or its time, whether anybody has the address.
 */
export async function requestCode(ctx: Context, address: string, knownToken?: string): Promise<string> {
  const { ports } = ctx;
  const email = address.toLowerCase();
  const browserToken = newToken(ports);
  // 8 digits, all equally likely.
  const number = Buffer.from(ports.random.bytes(8)).readBigUInt64BE() % 100_000_000n;
  const code = String(number).padStart(8, '0');
  const isAllowed = await takeCode(ctx, email, knownToken);
  ctx.note({ sign_in: isAllowed ? 'code' : 'too_many_codes' });
  if (!isAllowed) return browserToken;
  const codeHash = hashCode(code, browserToken);
  const isPersons = await insertCode(ports.db, { browserHash: hashSecret(browserToken), codeHash, email });
  if (isPersons) ctx.after((later) => mailCode(later, email, code));
  return browserToken;
}

/** What one network is refused counts against nobody else. */
async function takeCode({ ports, address }: Context, email: string, knownToken?: string): Promise<boolean> {
  const mailbox = hashSecret(toMailbox(email));
  const take = async (quota: Quota, subject: string) => (await ports.limiter.take(quota, subject)).allowed;
  if (!(await take(ASKED_CODES, address))) return false;
  if (isKnownBrowser(ports, knownToken, email)) return take(CODES, `known-${mailbox}`);
  return (await take(CODES, `${address} ${mailbox}`)) && take(MAILBOX_CODES, mailbox);
}

/** Useless to who reads the database: the browser's token is not in it. */
const hashCode = (code: string, browserToken: string) => hashSecret(`${code} ${browserToken}`);

/**
 * Programs that check mails follow links and send forms: the link's code stands behind the #, where only the page's own
 * script sees it, and it works in no other browser than the one that asked.
 */
function mailCode(ports: Ports, to: string, code: string): Promise<void> {
  const { publicUrl } = ports.settings;
  const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
  const link = ['', 'Or open this link in that browser', `${publicUrl}/dashboard/sign-in/code#${code}`];
  const lines = [
    `Your code is ${spaced}`,
    '',
    'Type it in the browser where you asked for it. It works for ten minutes.',
    ...(publicUrl === null ? [] : link),
    '',
    'If you did not ask for it, do nothing: without this code nobody signs in.',
  ];
  return mailLines(ports, 'code', { to, subject: `${spaced} is your sign-in code`, lines });
}

/**
 * A new session, with what the browser keeps of it for a while; null for a code that is wrong, too old, used, tried too
 * often, or another browser's. Of an address in several accounts the caller chooses one, and sends the code again: anybody
 * may have invited the address.
 */
export async function signInByCode(
  ctx: Context,
  browserToken: string | undefined,
  code: string,
  { chosenId, knownToken }: { chosenId?: string | undefined; knownToken?: string | undefined },
): Promise<{ token: string; known: string } | { people: Entrant[] } | null> {
  const { ports } = ctx;
  if (!browserToken) return null;
  const browserHash = hashSecret(browserToken);
  const codeHash = await tryCode(ports.db, browserHash);
  if (codeHash === null || !isSame(codeHash, hashCode(code, browserToken))) return null;
  const people = await findEntrants(ports.db, browserHash);
  const person = people.find(({ id }) => people.length === 1 || id === chosenId);
  if (person === undefined) return people.length === 0 ? null : { people };
  const { token, session } = newSession(ctx);
  if (!(await openByCode(ports.db, session, browserHash, person.id))) return null;
  ports.sessions.forget();
  await noteSignIn(ctx, session, person, knownToken);
  return { token, known: toKnownBrowser(ports, person.email) };
}

/**
 * A person's sign-in stands in the account's activity, and the person gets a mail of one in another browser than those that
 * signed in by a code before.
 */
async function noteSignIn(
  ctx: Context,
  { id: sessionId, browser }: NewSession,
  { id, accountId, email, isFirst, isTest }: Entrant,
  knownToken: string | undefined,
): Promise<void> {
  const action = 'person.sign_in';
  await recordAct(ctx, { action, target: sessionId, detail: { browser }, accountId, actor: id });
  if (isFirst || isTest || isKnownBrowser(ctx.ports, knownToken, email)) return;
  const subject = 'Sign-in with a new browser';
  const lines = [
    `Somebody signed in as ${email} with ${browser}, a browser that was not used for it before.`,
  ];
  ctx.after((ports) => mailNotice(ports, `${accountId} ${action}`, { to: email, subject, lines }));
}

/** Who the link is for; null when it is used or too old. */
export const readSignInLink = ({ ports }: Context, linkToken: string) =>
  findLink(ports.db, hashToken(ports, linkToken));

/** The token of a new session; null when the link is used or too old. */
export async function signInByLink(
  ctx: Context,
  linkToken: string,
  knownToken?: string,
): Promise<string | null> {
  const { ports } = ctx;
  const { token, session } = newSession(
    ctx,
    isOperatorToken(linkToken) ? newOperatorToken(ports) : newToken(ports),
  );
  const link = await readSignInLink(ctx, linkToken);
  if (link === null || !(await openByLink(ports.db, session, hashToken(ports, linkToken)))) return null;
  if (link.person !== null) await noteSignIn(ctx, session, link.person, knownToken);
  return token;
}

/** The token of the operator's new session; null for another token than ADMIN_TOKEN, or after too many guesses. */
export async function signInOperator(ctx: Context, adminToken: string): Promise<string | null> {
  const { settings, limiter, db } = ctx.ports;
  const { allowed } = await limiter.take(TOKEN_GUESSES, ctx.address);
  if (!allowed || settings.adminToken === null) return null;
  if (!isSame(hashSecret(adminToken), hashSecret(settings.adminToken))) return null;
  const { token, session } = newSession(ctx, newOperatorToken(ctx.ports));
  await openForOperator(db, session);
  await recordAct(ctx, { action: 'operator.sign_in', target: session.id, accountId: null });
  return token;
}

export async function signOut({ ports }: Context, token: string): Promise<void> {
  await closeSession(ports.db, hashToken(ports, token));
  ports.sessions.forget();
}

function newSession({ ports, userAgent }: Context, token = newToken(ports)) {
  const browser = describeBrowser(userAgent);
  const session: NewSession = { id: newId(ports, 'ses'), tokenHash: hashToken(ports, token), browser };
  return { token, session };
}

const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'];

/** `Firefox on Windows`, so that people recognise their sessions. */
function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`)) ?? 'A browser';
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  return `${browser.replace('Edg', 'Edge')} on ${system ?? 'an unknown system'}`;
}
