import { Webhook } from 'standardwebhooks';
import { startHttpsServer } from './https-server.ts';

export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** A receiver of webhooks on loopback, by HTTPS, which keeps what it is sent. */
export interface Receiver {
  url: string;
  /** As OUTBOUND_ALLOW names it. */
  host: string;
  calls: Call[];
  /** Answers the next calls like this; 204 once they are used up. */
  answer(...answers: { status: number; headers?: Record<string, string> }[]): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const calls: Call[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const { port, close } = await startHttpsServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    calls.push({ headers: request.headers as Record<string, string>, body });
    const { status, headers } = answers.shift() ?? { status: 204 };
    response.writeHead(status, headers).end();
  });
  return {
    url: `https://localhost:${port}/leads`,
    host: `localhost:${port}`,
    calls,
    answer: (...more) => void answers.push(...more),
    close,
  };
}

/** What a call carries, once its signature is found to be this secret's; throws otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: a receiver reads JSON
export const verified = ({ headers, body }: Call, secret: string): any =>
  new Webhook(secret).verify(body, headers);
