import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { SEALED, SecretsNotConfigured, SecretUnreadable } from '../files.ts';

/** Keeps secrets unreadable at rest. */
export type Secrets = ReturnType<typeof sealedSecrets>;

/**
 * AES-256-GCM. What is sealed reads `v1.<key id>.<base64url of nonce, text, tag>`; the key id, the start of the key's
 * SHA-256, says which key opens it, so that keys can be rotated: the new one goes first, the old ones stay behind it
 * until everything is sealed anew.
 */
export function sealedSecrets(keys: readonly string[]) {
  const ring = keys.map((text) => {
    const key = Buffer.from(text, 'base64');
    return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
  });
  const [current] = ring;
  return {
    /** `about`: what the secret belongs to; it cannot be opened as another's. Throws `SecretsNotConfigured` without a key. */
    async seal(text: string, about: string): Promise<string> {
      if (current === undefined) throw new SecretsNotConfigured('FEED_SECRET_KEY is not set');
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${SEALED}${current.id}.${sealed.toString('base64url')}`;
    },
    /** Throws `SecretUnreadable` when none of the keys is the one it was sealed with. */
    async open(sealed: string, about: string): Promise<string> {
      const [, id, data = ''] = sealed.split('.');
      const entry = ring.find((candidate) => candidate.id === id);
      if (entry === undefined)
        throw new SecretUnreadable(`neither FEED_SECRET_KEY nor FEED_SECRET_KEY_OLD is the key ${id}`);
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv(CIPHER, entry.key, bytes.subarray(0, NONCE))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(-TAG));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8');
    },
    /** False if it has to be sealed anew, under the current key. */
    isCurrent: async (sealed: string) => keyId(sealed) === current?.id,
    /** Whether one of the keys is the one it was sealed with. */
    canOpen: async (sealed: string) => ring.some(({ id }) => id === keyId(sealed)),
  };
}

const keyId = (sealed: string): string | undefined => sealed.split('.')[1];

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
