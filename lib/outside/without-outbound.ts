import type { JobKind } from '../db/jobs/queue.ts';
import type { Ports } from '../ports.ts';
import { absentMailer } from './mailer/absent.ts';
import { OutboundFailure } from './outbound.ts';

/** Jobs that write to dealers and owners. */
const OUTBOUND: ReadonlySet<JobKind> = new Set(['email', 'webhook', 'flagged', 'alert']);

/**
 * The ports of a preview, which may have production's database, photos and mail server. It calls nobody, sends no
 * mail and removes no photo; production delivers its leads and mails to owners.
 */
export function withoutOutbound(ports: Ports): Ports {
  const { fetcher, objects } = ports;
  return {
    ...ports,
    mailer: absentMailer(),
    fetcher: {
      ...fetcher,
      async fetch(request) {
        if (request.method === 'POST') throw new OutboundFailure('address_refused', 'a preview calls nobody');
        return fetcher.fetch(request);
      },
    },
    objects: replaced(objects, { remove: async () => undefined }),
    settings: { ...ports.settings, mail: 'none', restingJobs: OUTBOUND },
  };
}

/** A port is a proxy that loads on first use, so its members cannot be copied. */
const replaced = <Port extends object>(port: Port, overrides: Partial<Port>): Port =>
  new Proxy(port, { get: (target, name) => Reflect.get(overrides, name) ?? Reflect.get(target, name) });
