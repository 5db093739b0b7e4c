import type { Ports } from '../../outside/ports.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';

/** Tokens of sessions and of links that sign in. */

const OPERATOR_PREFIX = 'operator_';

export const newToken = ({ random }: Pick<Ports, 'random'>): string =>
  Buffer.from(random.bytes(32)).toString('base64url');

export const newOperatorToken = (ports: Pick<Ports, 'random'>): string => OPERATOR_PREFIX + newToken(ports);

export const isOperatorToken = (token: string): boolean => token.startsWith(OPERATOR_PREFIX);

/** What the store knows of a token. An operator's is found no more once ADMIN_TOKEN is another. */
export const hashToken = ({ settings }: Pick<Ports, 'settings'>, token: string): string =>
  hashSecret(isOperatorToken(token) ? `${token} ${settings.adminToken}` : token);
