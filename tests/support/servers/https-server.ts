import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { LOCALHOST_TLS } from '../../fixtures/localhost-tls.ts';
import { listenHttp } from './ports.ts';

const strangers = getCACertificates('default');

/** Whether this process takes the certificate of the servers here for one of a public authority. */
export const trustServers = (isTrusted: boolean) =>
  setDefaultCACertificates([...strangers, ...(isTrusted ? [LOCALHOST_TLS.cert] : [])]);

/** An HTTPS server on loopback, known as localhost and 127.0.0.1, that this process trusts from then on. */
export async function startHttpsServer(answer?: RequestListener) {
  trustServers(true);
  const server = createServer(LOCALHOST_TLS, (request, response) => state.answer(request, response));
  // Who refuses a certificate breaks off; that is no fault of the server.
  server.on('tlsClientError', () => undefined);
  const { port, host, close } = await listenHttp(server);
  const state = {
    port,
    origin: `https://${host}`,
    answer: answer ?? ((_, response) => void response.writeHead(404).end()),
    close,
  };
  return state;
}
