import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listen } from './ports.ts';

export interface ReceivedMail extends Email {
  from_: string;
  to_: string[];
  raw: string;
}

/** A real SMTP server on loopback, which keeps what it takes. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const codes: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    // Without a certificate that anybody would trust.
    ...(options.secure ? {} : { disabledCommands: ['STARTTLS'] }),
    async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const raw = await text(stream).catch(() => null);
      // Whose connection broke in the midst of it.
      if (raw === null) return;
      const responseCode = codes.shift();
      if (responseCode !== undefined)
        return done(Object.assign(new Error('not today, jane@visitor.example'), { responseCode }));
      mails.push({
        ...(await PostalMime.parse(raw)),
        from_: mailFrom ? mailFrom.address : '',
        to_: rcptTo.map(({ address }) => address),
        raw,
      });
      done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  const port = await listen(server.server);
  return {
    port,
    mails,
    /** Answers the next mails with these codes after DATA; 250 once they are used up. */
    answer: (...more: number[]) => void codes.push(...more),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
