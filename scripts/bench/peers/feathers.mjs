import { feathers } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import knex from 'knex';

/** Feathers as its guide sets it up: REST over one table by Knex. It runs in the folder where it is installed. */

const { POSTGRES_URL, PORT } = process.env;
const Model = knex({ client: 'pg', connection: POSTGRES_URL, pool: { min: 0, max: 5 } });
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser({ jsonLimit: '8mb' }));
app.configure(rest());
app.use('trucks', new KnexService({ Model, name: 'peer_feathers', id: 'vin', multi: true }));
await app.listen(Number(PORT), '127.0.0.1');
process.stdout.write(`http://127.0.0.1:${PORT}\n`);
