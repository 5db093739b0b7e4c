import type { Ports } from '../../outside/ports.ts';
import type { SendPermit, SendRequest } from '../ports/lead-destinations.ts';
import type { Sent } from './sent.ts';

/** Sends an hour: few to a destination that nobody confirmed, so that a lead form is no mail cannon. */
export const SEND_LIMITS = { unconfirmed: 20, dealer: 300, account: 2_000 } as const;

/** Runs `send` if the limits leave room for it; what waits is kept and says what it waits for. */
export async function sendWithinLimits(
  { leadDestinations }: Pick<Ports, 'leadDestinations'>,
  { accountId, ...request }: SendRequest & { accountId: string },
  send: (permit: SendPermit) => Promise<Sent>,
): Promise<Sent> {
  const destinations = leadDestinations.of(accountId);
  const permit = await destinations.reserve(request, SEND_LIMITS);
  if (!permit.allowed) {
    const reason = permit.confirmed ? 'hourly_limit' : 'waiting_for_confirmation';
    return { kind: 'postponed', reason, afterSeconds: permit.waitSeconds };
  }
  const sent = await send(permit);
  if (sent.kind === 'failed' && sent.isUnsent && permit.sendId !== null)
    await destinations.release(permit.sendId);
  return sent;
}
