import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listen } from './ports.ts';

export interface ReceivedMail extends Email {
  from_: string;
  to_: string[];
  raw: string;
}

/** A real SMTP server on loopback, which keeps what it takes. */
export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** Answers the next mails with these codes after DATA; 250 once they are used up. */
  answer(...codes: number[]): void;
  close(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const codes: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    // Without a certificate that anybody would trust.
    ...(options.secure ? {} : { disabledCommands: ['STARTTLS'] }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const code = codes.shift() ?? 250;
        if (code !== 250)
          return done(Object.assign(new Error('not today, jane@visitor.example'), { responseCode: code }));
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...(await PostalMime.parse(raw)),
          from_: mailFrom ? mailFrom.address : '',
          to_: rcptTo.map(({ address }) => address),
          raw: raw.toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const port = await listen(server.server);
  return {
    port,
    mails,
    answer: (...more) => void codes.push(...more),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
