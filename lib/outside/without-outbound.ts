import type { JobKind } from '../db/jobs/queue.ts';
import type { Ports } from '../ports.ts';
import { absentMailer } from './mailer/absent.ts';
import { OutboundFailure } from './outbound.ts';

/** Jobs that write to dealers and owners. */
const OUTBOUND: ReadonlySet<JobKind> = new Set(['email', 'webhook', 'flagged', 'alert']);

/**
 * The ports of a preview, which may have production's database, photos and mail server: nobody is written to or called, no
 * photo is removed, and leads and mails to owners are left to those whom they belong to.
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

/** Ports are loaded when they are first called: they have no members to be copied. */
const replaced = <Port extends object>(port: Port, overrides: Partial<Port>): Port =>
  new Proxy(port, { get: (target, name) => Reflect.get(overrides, name) ?? Reflect.get(target, name) });
