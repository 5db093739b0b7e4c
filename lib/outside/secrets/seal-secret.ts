import { ApiError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import { SecretsNotConfigured } from '../files.ts';

/** Seals a secret that a caller sent. Throws INVALID_PAYLOAD naming the field where the service has no key to seal with. */
export async function sealSecret(
  { secrets, settings }: Pick<Ports, 'secrets' | 'settings'>,
  { field, text, about }: { field: string; text: string; about: string },
): Promise<string> {
  try {
    return await secrets.seal(text, about);
  } catch (error) {
    if (!(error instanceof SecretsNotConfigured)) throw error;
    throw new ApiError('INVALID_PAYLOAD', `${field}: this deployment cannot keep secrets.`, {
      details: {
        field,
        reason: 'secrets_not_configured',
        fix: `The service has no key to seal secrets with yet; write to ${settings.supportEmail}.`,
      },
    });
  }
}
