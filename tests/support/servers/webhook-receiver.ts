import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { startHttpsServer } from './https-server.ts';

export interface Call {
  headers: Record<string, string>;
  body: string;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
}

/** A receiver of webhooks on loopback, by HTTPS, which keeps what it is sent. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver() {
  const calls: Call[] = [];
  const answers: Reply[] = [];
  const { port, close } = await startHttpsServer(async (request, response) => {
    calls.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    const { status, headers } = answers.shift() ?? { status: 204 };
    response.writeHead(status, headers).end();
  });
  return {
    url: `https://localhost:${port}/leads`,
    /** As OUTBOUND_ALLOW names it. */
    host: `localhost:${port}`,
    calls,
    /** Answers the next calls like this; 204 once they are used up. */
    answer: (...more: Reply[]) => void answers.push(...more),
    close,
  };
}

/** What a call carries, once its signature is found to be this secret's; throws otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: a receiver reads JSON
export const verified = ({ headers, body }: Call, secret: string): any =>
  new Webhook(secret).verify(body, headers);
