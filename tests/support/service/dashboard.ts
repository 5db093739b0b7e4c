import { expect } from 'vitest';
import type { Mailer } from '../../../lib/outside/mailer/mailer.ts';
import type { Answer, TestAccount, TestService } from './service.ts';

/** A mailer that keeps what it is given. */
export function keepMails() {
  const mails: { to_: string[]; subject: string; text: string }[] = [];
  const mailer: Mailer = {
    async send({ to, subject, text }) {
      mails.push({ to_: [to], subject, text });
    },
  };
  return { mails, mailer };
}

/** A browser as far as the service sees one: it keeps cookies, and names the origin of its forms. */
export type TestBrowser = ReturnType<typeof newBrowser>;

export const ORIGIN = 'http://trucks.test';

export function newBrowser(service: Pick<TestService, 'call'>, ip?: string) {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, headers: Record<string, string>, raw?: string) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await service.call(method, path, {
      headers: { ...(cookie && { cookie }), 'user-agent': 'Firefox/140.0 (Linux)', ...headers },
      raw,
      ip,
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    get: (path: string) => send('GET', path, {}),
    /** Follows no redirect. */
    post(
      path: string,
      action: string,
      fields: Readonly<Record<string, string | readonly string[]>> = {},
      headers: Record<string, string> = {},
    ) {
      const form = new URLSearchParams({ action });
      for (const [name, value] of Object.entries(fields))
        for (const one of [value].flat()) form.append(name, one);
      const type = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
      return send('POST', path, { ...type, ...headers }, form.toString());
    },
  };
}

/** A link that signs this person in, as a path. */
export async function inviteLink(
  service: TestService,
  account: Pick<TestAccount, 'id'>,
  { email = `owner-${account.id}@dealer.example`, role = 'owner' } = {},
): Promise<string> {
  const json = { account_id: account.id, email, role };
  const { body } = await service.admin('POST', '/api/admin/sign-in-links', json);
  return new URL(body.url).pathname;
}

/** A browser that is signed in as a person of the account. */
export const signedIn = async (
  service: TestService,
  account: Pick<TestAccount, 'id'>,
  person?: { email?: string; role?: string },
) => followLink(service, await inviteLink(service, account, person));

/** Signs in by the code that is mailed to a person of one account. */
export async function signInByCode(
  browser: TestBrowser,
  email: string,
  { mails }: { mails: readonly { to_: readonly string[]; text?: string | undefined }[] },
): Promise<void> {
  const codes = () =>
    mails.flatMap(
      ({ to_, text }) => (to_[0] === email && /code is (\d{4} \d{4})/.exec(text ?? '')?.[1]) || [],
    );
  const before = codes().length;
  await browser.post('/dashboard/sign-in?fresh=true', 'send', { email });
  await expect.poll(() => codes().length).toBeGreaterThan(before);
  const answer = await browser.post('/dashboard/sign-in/code', 'sign_in', { code: codes().at(-1) ?? '' });
  expect(answer.status, answer.text).toBe(303);
}

/** A browser that is signed in as the operator. */
export async function signedInOperator(service: TestService): Promise<TestBrowser> {
  const { body } = await service.admin('POST', '/api/admin/sign-in-links', {});
  return followLink(service, new URL(body.url).pathname);
}

async function followLink(service: TestService, path: string): Promise<TestBrowser> {
  const browser = newBrowser(service);
  const answer = await browser.post(path, 'sign_in');
  expect([answer.status, answer.headers.get('location')], answer.text).toEqual([303, '/dashboard']);
  return browser;
}

/** What holds for every answer below /dashboard: a document under its policy, a file, or a redirect. */
export function expectPage(context: string, { status, headers, text }: Answer) {
  if (status === 303)
    return expect([headers.get('location'), text], context).toEqual([
      expect.stringMatching(/^\/dashboard/),
      '',
    ]);
  const file = headers.get('content-disposition');
  if (file) return expect([status, file], context).toEqual([200, expect.stringMatching(/^attachment; /)]);
  expect(Object.fromEntries(headers), context).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /default-src 'none'; style-src 'self'; script-src 'self'.*require-trusted-types-for 'script'/,
    ),
    'strict-transport-security': expect.stringMatching(/max-age=\d{8}/),
  });
}

/** What a person reads of a page, charts aside, on one line. */
export const toPlainText = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
