import { newId } from '../../outside/new-id.ts';
import type { Ports } from '../../outside/ports.ts';

const TIMEOUT_MS = 20_000;

/**
 * The code by mail. Programs that check mails follow links and send forms: the link's code stands behind the #, where only
 * the page's own script sees it, and it works in no other browser than the one that asked.
 */
export async function mailCode(
  ports: Pick<Ports, 'mailer' | 'settings' | 'random'>,
  email: string,
  code: string,
): Promise<void> {
  const { publicUrl } = ports.settings;
  const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
  const link =
    publicUrl === null
      ? []
      : ['', 'In that browser you may also open', `${publicUrl}/dashboard/sign-in/code#${code}`];
  const text = [
    `Your code is ${spaced}`,
    '',
    'Type it in the browser where you asked for it. It works for ten minutes.',
    ...link,
    '',
    'If you did not ask for it, do nothing: without this code nobody signs in.',
    '',
  ].join('\n');
  const mail = {
    to: email,
    replyTo: null,
    subject: `${spaced} is your sign-in code`,
    text,
    id: newId(ports, 'code'),
  };
  await ports.mailer.send(mail, AbortSignal.timeout(TIMEOUT_MS));
}
