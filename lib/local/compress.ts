import { Hono } from 'hono';
import { compress } from 'hono/compress';

type Respond = () => Response | Promise<Response>;

const app = new Hono<{ Bindings: { respond: Respond } }>();
app.use(compress());
app.all('*', ({ env }) => env.respond());

/** Compresses the answer to a caller that accepts it, as the platform does by itself. */
export function compressed(request: Request, respond: Respond): Response | Promise<Response> {
  return app.fetch(request, { respond });
}
