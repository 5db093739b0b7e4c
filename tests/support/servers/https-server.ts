import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listenHttp } from './ports.ts';

/** HTTPS servers on loopback, one with a certificate of an authority of our own, one with what a stranger signed. */
export interface HttpsServers {
  /** Of the authority, as NODE_EXTRA_CA_CERTS takes it. */
  ca: string;
  trusted: HttpsServer;
  untrusted: HttpsServer;
  stop(): Promise<void>;
}

export interface HttpsServer {
  port: number;
  origin: string;
  answer: RequestListener;
}

/** This process trusts the authority from then on, as if it had been started with NODE_EXTRA_CA_CERTS. */
export async function startHttpsServers(): Promise<HttpsServers> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-https-'));
  const inside = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await writeFile(inside('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  for (const signer of ['ours', 'strange']) {
    const [ca, caKey, key, request, cert] = ['ca', 'ca-key', 'key', 'csr', 'cert'].map((part) =>
      inside(`${signer}-${part}.pem`),
    ) as [string, string, string, string, string];
    openssl('req', '-x509', ...newKey, '-keyout', caKey, '-out', ca, '-days', '2', '-subj', `/CN=${signer}`);
    openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', '/CN=127.0.0.1');
    const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', inside('names')];
    openssl('x509', '-req', '-in', request, ...signed, '-out', cert, '-days', '2');
  }
  const read = (name: string) => readFile(inside(name), 'utf8');
  const ca = await read('ours-ca.pem');
  setDefaultCACertificates([...getCACertificates('default'), ca]);
  const start = async (signer: string) => {
    const state: HttpsServer = {
      port: 0,
      origin: '',
      answer: (_, response) => response.writeHead(404).end(),
    };
    const keys = { key: await read(`${signer}-key.pem`), cert: await read(`${signer}-cert.pem`) };
    const server = createServer(keys, (request, response) => state.answer(request, response));
    // Who refuses a certificate breaks off; that is no fault of the server.
    server.on('tlsClientError', () => undefined);
    const { port, host, close } = await listenHttp(server);
    return { state: Object.assign(state, { port, origin: `https://${host}` }), close };
  };
  const trusted = await start('ours');
  const untrusted = await start('strange');
  return {
    ca,
    trusted: trusted.state,
    untrusted: untrusted.state,
    async stop() {
      await Promise.all([trusted.close(), untrusted.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
