import { Pool } from 'undici';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  key: string;
  body?: unknown;
}

/** Requests over keep-alive connections, written out beforehand; any answer but 200 or 201 ends the run. */
export class Client {
  readonly #pool: Pool;

  constructor(origin: string, connections: number) {
    this.#pool = new Pool(origin, { connections });
  }

  prepare({ method, path, key, body }: Request): () => Promise<string> {
    const request = {
      method,
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return async () => {
      const answer = await this.#pool.request(request);
      const text = await answer.body.text();
      if (answer.statusCode > 201)
        throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
      return text;
    };
  }

  async send(request: Request): Promise<Record<string, unknown>> {
    return JSON.parse(await this.prepare(request)());
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
