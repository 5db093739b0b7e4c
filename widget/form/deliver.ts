import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import type { Challenge, Fault } from '../panel/requests.ts';

/** One enquiry on its way to the service. */

export type Delivered =
  /** `leadId` is null if the dealer had the enquiry already. */
  { leadId: string | null; conversationId: string | undefined } | { fault: Fault };

/** Posts an enquiry, and solves a puzzle if asked to. An enquiry that the dealer already has counts as delivered. */
export async function deliver({ request }: Pick<PanelContext, 'request'>, body: object): Promise<Delivered> {
  try {
    return await (await request('lead', { body })).json();
  } catch (error) {
    const fault = kit.asFault(error);
    const { challenge } = fault.details;
    if (fault.code === 'ALREADY_CAPTURED') return { leadId: null, conversationId: undefined };
    if (!challenge || 'proof' in body || !crypto.subtle) return { fault };
    return deliver({ request }, { ...body, proof: await solve(challenge) });
  }
}

/** Whether sending the same again can never succeed. */
export const isFinal = ({ code }: Fault) => /^INVALID/.test(code);

/** Finds the number whose hash together with the token starts with that many zero bits. */
async function solve({ token, difficulty }: Challenge): Promise<{ token: string; nonce: string }> {
  for (let nonce = 0; ; nonce++) {
    const text = new TextEncoder().encode(`${token}.${nonce}`);
    const hash = new DataView(await crypto.subtle.digest('SHA-256', text));
    if (Math.clz32(hash.getUint32(0)) >= difficulty) return { token, nonce: `${nonce}` };
  }
}
