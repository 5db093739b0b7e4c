import type { Context } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { newId } from '../../outside/new-id.ts';
import type { Ports } from '../../outside/ports.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { isSame } from '../../outside/secrets/signed-token.ts';
import { toAuditEntry } from '../audited.ts';
import { mailNotice } from '../notices.ts';
import { describeBrowser } from './describe-browser.ts';
import { isKnownBrowser, toKnownBrowser } from './known-browser.ts';
import { mailCode } from './mail-code.ts';
import type { Entrant, NewSession, PersonForCode } from './port.ts';
import { hashToken, isOperatorToken, newOperatorToken, newToken } from './session-token.ts';

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

const SIGN_IN = 'person.sign_in';

/**
 * Sends a code to the address if it is a person's, and returns the token that binds the code to the browser that asks.
 * Callers cannot tell from the answer, or its time, whether anybody has the address.
 */
export async function requestCode(ctx: Context, address: string, knownToken?: string): Promise<string> {
  const { ports } = ctx;
  const email = address.toLowerCase();
  const browserToken = newToken(ports);
  const code = newCode(ctx);
  const allowed = await takeCode(ctx, hashSecret(toMailbox(email)), isKnownBrowser(ctx, knownToken, email));
  ctx.note({ sign_in: allowed ? 'code' : 'too_many_codes' });
  if (!allowed) return browserToken;
  const codeHash = hashCode(code, browserToken);
  const isKnown = await ports.people.addCode({ browserHash: hashSecret(browserToken), codeHash, email });
  if (isKnown) ctx.after((later) => mailCode(later, email, code));
  return browserToken;
}

/** What one network is refused counts against nobody else. */
async function takeCode({ ports, caller }: Context, mailbox: string, isKnown: boolean): Promise<boolean> {
  const take = async (quota: Quota, subject: string) => (await ports.limiter.take(quota, subject)).allowed;
  if (!(await take(ASKED_CODES, caller.address))) return false;
  if (isKnown) return take(CODES, `known-${mailbox}`);
  return (await take(CODES, `${caller.address} ${mailbox}`)) && take(MAILBOX_CODES, mailbox);
}

/** 8 digits, all equally likely. */
function newCode({ ports }: Context): string {
  const bytes = Buffer.from(ports.random.bytes(8));
  return String(bytes.readBigUInt64BE() % 100_000_000n).padStart(8, '0');
}

/** Useless to who reads the database: the browser's token is not in it. */
const hashCode = (code: string, browserToken: string) => hashSecret(`${code} ${browserToken}`);

/** Whose session it is to be, of people who share an address in several accounts. */
interface Choice {
  people: PersonForCode[];
}

/** `known`: what the browser keeps of it for a while. */
interface SignedIn {
  token: string;
  known: string;
}

/**
 * A new session; null for a code that is wrong, too old, used, tried too often, or another browser's. Of an
 * address in several accounts the caller chooses one, and sends the code again: anybody may have invited the address, so
 * only a person who entered by a code before stays in the account of the session at hand.
 */
export async function signInByCode(
  ctx: Context,
  browserToken: string | undefined,
  typed: string,
  { chosenId, knownToken }: { chosenId?: string | undefined; knownToken?: string | undefined },
): Promise<SignedIn | Choice | null> {
  const { people } = ctx.ports;
  if (!browserToken) return null;
  const browserHash = hashSecret(browserToken);
  const kept = await people.tryCode(browserHash);
  if (kept === null || !isSame(kept.codeHash, hashCode(typed, browserToken))) return null;
  const found = await people.peopleForCode(browserHash);
  const current = found.find(({ id, isConfirmed }) => isConfirmed && id === ctx.principal?.keyId);
  const [only] = found.length === 1 ? found : [];
  const person = chosenId === undefined ? (current ?? only) : found.find(({ id }) => id === chosenId);
  if (person === undefined) return found.length === 0 ? null : { people: found };
  const made = newSession(ctx);
  if (!(await people.openByCode(browserHash, made.session, person.id))) return null;
  await noteSignIn(ctx, made.session, person, knownToken);
  return { token: made.token, known: toKnownBrowser(ctx, person.email) };
}

/**
 * A person's sign-in stands in the account's activity, and the person gets a mail of one in another browser than those that
 * signed in by a code before.
 */
async function noteSignIn(
  ctx: Context,
  { id: sessionId, browser }: NewSession,
  { id, accountId, email, isFirst }: Entrant,
  knownToken: string | undefined,
): Promise<void> {
  await ctx.ports.audit.add({ ...toAuditEntry(ctx, SIGN_IN, sessionId, { browser }, accountId), actor: id });
  if (isFirst || id === ctx.principal?.keyId || isKnownBrowser(ctx, knownToken, email)) return;
  ctx.after((ports) => mailStranger(ports, { accountId, to: email, browser }));
}

async function mailStranger(
  ports: Ports,
  { accountId, to, browser }: { accountId: string; to: string; browser: string },
): Promise<void> {
  if (await ports.accounts.isTest(accountId)) return;
  const subject = 'Sign-in with a new browser';
  const lines = [`Somebody signed in as ${to} with ${browser}, a browser that was not used for it before.`];
  await mailNotice(ports, { accountId, action: SIGN_IN, to, subject, lines });
}

/** Who the link is for; null when it is used or too old. */
export function readSignInLink(ctx: Context, linkToken: string) {
  return ctx.ports.people.readLink(hashToken(ctx.ports, linkToken));
}

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
  if (link === null || !(await ports.people.openByLink(hashToken(ports, linkToken), session))) return null;
  if (link.person !== null) await noteSignIn(ctx, session, link.person, knownToken);
  return token;
}

/** The token of the operator's new session; null for another token than ADMIN_TOKEN, or after too many guesses. */
export async function signInOperator(ctx: Context, adminToken: string): Promise<string | null> {
  const { settings, limiter, people } = ctx.ports;
  const { allowed } = await limiter.take(TOKEN_GUESSES, ctx.caller.address);
  if (!allowed || settings.adminToken === null) return null;
  if (!isSame(hashSecret(adminToken), hashSecret(settings.adminToken))) return null;
  const { token, session } = newSession(ctx, newOperatorToken(ctx.ports));
  await people.openForOperator(session);
  await ctx.ports.audit.add(toAuditEntry(ctx, 'operator.sign_in', session.id, {}, null));
  return token;
}

export async function signOut(ctx: Context, token: string): Promise<void> {
  await ctx.ports.people.end(hashToken(ctx.ports, token));
}

function newSession(ctx: Context, token = newToken(ctx.ports)): { token: string; session: NewSession } {
  const browser = describeBrowser(ctx.caller.userAgent ?? '');
  return { token, session: { id: newId(ctx.ports, 'ses'), tokenHash: hashToken(ctx.ports, token), browser } };
}
