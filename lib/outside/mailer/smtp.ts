import { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import { toTable } from '../../truck/text/table.ts';
import { type Mailer, MailFailure } from './mailer.ts';
import { toMessage } from './to-message.ts';

export interface SmtpConfig {
  /** smtp:// or smtps://, with user and password. */
  url: string;
  /** The sender's address. */
  from: string;
}

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;

/** Mail by SMTP, a connection per mail: instances come and go, and a lead is rare. */
export function smtpMailer({ url, from }: SmtpConfig): Mailer {
  /** Calls `use` with a connection of its own, which a server that drips bytes cannot keep beyond `signal`. */
  async function withTransport(use: (transport: Transporter) => Promise<unknown>, signal: AbortSignal) {
    const { createTransport } = await import('nodemailer');
    const socket = new Socket();
    const destroy = () => socket.destroy(Object.assign(new Error('aborted'), { code: 'ETIMEDOUT' }));
    signal.addEventListener('abort', destroy, { once: true });
    const transport = createTransport({
      url: requireTls(url),
      socket,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Nothing of a mail may name a file or a URL to be read.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await use(transport);
    } catch (error) {
      throw new MailFailure(findReason(error), error);
    } finally {
      signal.removeEventListener('abort', destroy);
      transport.close();
    }
  }

  return {
    send: (mail, signal) => withTransport((transport) => transport.sendMail(toMessage(mail, from)), signal),
    ping: () => withTransport((transport) => transport.verify(), AbortSignal.timeout(CONNECT_MS)),
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Mail that leaves the machine is encrypted or fails; the URL's own options would win over ours. */
function requireTls(text: string): string {
  const url = new URL(text);
  if (!LOOPBACK.test(url.hostname)) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** The server's words may quote addresses: only its code is logged. */
function findReason(error: unknown): string {
  const { code, responseCode } = Object(error);
  if (code !== 'ETLS' && typeof responseCode === 'number') return `smtp_${responseCode}`;
  return CODES[code] ?? 'smtp_failed';
}

const CODES: Readonly<Record<string, string>> = toTable({
  ECONNECTION: 'smtp_unreachable',
  ECONNREFUSED: 'smtp_unreachable',
  ESOCKET: 'smtp_unreachable',
  EDNS: 'smtp_unreachable',
  ETIMEDOUT: 'smtp_timeout',
  EAUTH: 'smtp_login_refused',
  ETLS: 'smtp_tls_failed',
  EENVELOPE: 'smtp_address_refused',
});
