import { newId } from '../../outside/new-id.ts';
import type { Ports } from '../../ports.ts';

const TIMEOUT_MS = 20_000;

/** Mails these lines to a person; `kind` begins the id. `unsubscribeUrl`: a POST there ends mails of the kind. */
export function mailLines(
  ports: Ports,
  kind: string,
  { lines, ...mail }: { to: string; subject: string; lines: readonly string[]; unsubscribeUrl?: string },
): Promise<void> {
  const text = [...lines, ''].join('\n');
  return ports.mailer.send(
    { ...mail, replyTo: null, text, id: newId(ports, kind) },
    AbortSignal.timeout(TIMEOUT_MS),
  );
}
