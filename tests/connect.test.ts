import { describe, expect, test } from 'vitest';
import { createPorts } from '../lib/connect.ts';
import { EnvError, readEnv } from '../lib/env.ts';
import { drain } from '../lib/jobs/drain.ts';
import { describeDelivery } from '../lib/leads/delivery/deliver.ts';
import { PRODUCTION } from './support/samples/production-env.ts';

const SMTP = { SMTP_URL: 'smtps://a:b@smtp.example', MAIL_FROM: 'leads@trucks.example' };
describe('a preview', () => {
  const PREVIEW = { ...PRODUCTION, ...SMTP, VERCEL_ENV: 'preview', LOG: 'silent' };
  const MAIL = { to: 'a@trucks.example', replyTo: null, subject: 'x', text: 'x', id: 'x' };
  const CALL = { url: 'https://receiver.example/leads', maxBytes: 1, timeoutMs: 1 };

  test('writes to nobody, calls nobody and leaves the queues of leads and alerts alone', async () => {
    for (const env of [PREVIEW, { ...PREVIEW, VERCEL_ENV: '' }]) {
      const ports = createPorts(readEnv(env));
      await expect(ports.mailer.send(MAIL, AbortSignal.timeout(1_000))).rejects.toThrow(
        'smtp_not_configured',
      );
      await expect(ports.fetcher.fetch({ ...CALL, method: 'POST' })).rejects.toThrow(
        'a preview calls nobody',
      );
      // No database answers: asked, it would throw.
      for (const kind of ['email', 'webhook', 'flagged'] as const)
        expect(await drain(ports, describeDelivery(kind))).toEqual({});
      expect(ports.settings.mail).toBe('none');
    }
  });

  test('does so with PREVIEW_OUTBOUND, as production does', async () => {
    for (const env of [
      { ...PREVIEW, PREVIEW_OUTBOUND: 'yes' },
      { ...PREVIEW, VERCEL_ENV: 'production' },
    ]) {
      const ports = createPorts(readEnv(env));
      expect(ports.settings.mail).toBe('smtp');
      expect((await drain(ports, describeDelivery('email'))).stopped).toBeDefined();
    }
  });

  test('without a database answers one clear error', () => {
    expect(() => createPorts(readEnv({ ...PREVIEW, POSTGRES_URL: '' }))).toThrow(EnvError);
  });
});
